/** The bytes of a connection, and the expected outcome. */
export interface Attack {
  name: string;
  pieces: (to: Target) => (string | Buffer)[];
  /** For each answer in order, the allowed statuses; 0: it may be missing. */
  statuses: readonly (readonly number[])[];
  closes: boolean;
}

/** The target and its credentials. */
export interface Target {
  host: string;
  authorization: string;
  /** `/v1/workspaces/<id>` */
  workspace: string;
  /** The id of a customer that must not exist: only a smuggled request creates it. */
  forbidden: string;
}

export const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

export const get = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(`GET ${workspace}/customers HTTP/1.1`, `Host: ${host}`, `Authorization: ${authorization}`, ...more);

/** A POST with a body that follows. */
export const post = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(
    `POST ${workspace}/customers HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    ...more,
  );

/** The outcome of most attacks. */
export const refused = { statuses: [[400]], closes: true } as const;
