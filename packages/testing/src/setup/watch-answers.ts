import { inject } from 'vitest';
import { type ApiDocument, Contract, type SeenAnswer } from './contract.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The API's own description. */
    openapi: ApiDocument;
  }
}

let contract: Contract | undefined;
const faults: string[] = [];

/** Records an answer that does not match the API's description. Ignores other servers and paths. */
export function watchAnswer(answer: SeenAnswer): void {
  if (!/^\/(?:v1|public\/v1|healthz|readyz|openapi\.json)(?:[/?]|$)/.test(answer.path)) return;
  contract ??= new Contract(inject('openapi'));
  const fault = contract.faultOf(answer);
  if (fault) faults.push(fault);
}

/** Returns the faults since the last call. */
export function takeFaults(): string[] {
  return faults.splice(0);
}
