export interface Content {
  eventId: string;
  eventName: string;
  /** JSON of an object. */
  data: string;
  /** JSON of an object. */
  extra: string;
  /** JSON of an object; of a completion. */
  result: string | null;
  isEnveloped: boolean;
  eventAtMs: number;
  isTest: boolean;
}

/**
 * Returns the body of an event. A completion is its history, as long as its webhook wants no envelope. All other bodies
 * have the envelope `{"id", "type", "timestamp", "data"}`. Either has `"test": true` if it is a test event. The bytes
 * are the same in every attempt.
 */
export function bodyOf({ eventId, eventName, data, extra, result, ...options }: Content): Buffer {
  const { isEnveloped, isTest, eventAtMs } = options;
  const mark = isTest ? '"test":true' : '';
  if (result !== null && !isEnveloped) return Buffer.from(objectOf([membersOf(result), mark]));
  const fields = objectOf([membersOf(data), membersOf(extra), result === null ? '' : `"result":${result}`]);
  const envelope = { id: eventId, type: eventName, timestamp: new Date(eventAtMs).toISOString() };
  return Buffer.from(objectOf([membersOf(JSON.stringify(envelope)), mark, `"data":${fields}`]));
}

const membersOf = (json: string): string => json.slice(1, -1);

const objectOf = (members: readonly string[]): string => `{${members.filter(Boolean).join(',')}}`;
