import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

interface Service {
  image: string;
  networks: string[] | Record<string, object>;
  volumes?: (string | { source: string; target: string })[];
  profiles?: string[];
  command?: string[];
  ports?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  build?: { args: Record<string, string> };
  restart?: string;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string | null>;
}

export const networksOf = ({ networks }: Service): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);

/** What the tests read of `deploy/compose.yaml`. */
export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

const text = readFileSync(resolve(import.meta.dirname, '../../../deploy/compose.yaml'), 'utf8');

/** The file as it is. */
export const composeFile = parse(text, { merge: true }) as Compose;

/** Returns the file as Compose reads it with these variables in `deploy/.env`. */
export function composeWith(variables: Record<string, string>): Compose {
  const innermost = /\$\{(\w+)(?:(:?[-?+])([^${}]*))?\}/g;
  const replaceIn = (value: string): string => {
    const replaced = value.replace(innermost, (_, name: string, operator = '', operand = '') => {
      const given = variables[name] ?? '';
      if (operator.endsWith('+')) return given ? operand : '';
      return given || (operator.endsWith('-') ? operand : '');
    });
    return replaced === value ? value : replaceIn(replaced);
  };
  return parse(replaceIn(text), { merge: true }) as Compose;
}
