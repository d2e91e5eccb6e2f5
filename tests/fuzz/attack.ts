/** What is written to a connection, and what is to come of it. */
export interface Attack {
  name: string;
  pieces: (to: Target) => (string | Buffer)[];
  /** For each answer that comes, in their order, the statuses that are right; 0: it may be missing. */
  statuses: readonly (readonly number[])[];
  /** Whether the server has to close the connection. */
  closes: boolean;
}

/** Where it is sent, and as whom. */
export interface Target {
  host: string;
  authorization: string;
  /** `/v1/workspaces/<id>` */
  workspace: string;
  /** The id of a customer that must not come to be: whatever makes it was smuggled in. */
  forbidden: string;
}

/** A request's head. */
export const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

/** A plain request with the key. */
export const get = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(`GET ${workspace}/customers HTTP/1.1`, `Host: ${host}`, `Authorization: ${authorization}`, ...more);

/** The same with a body to come. */
export const post = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(
    `POST ${workspace}/customers HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    ...more,
  );

/** What comes of most. */
export const refused = { statuses: [[400]], closes: true } as const;
