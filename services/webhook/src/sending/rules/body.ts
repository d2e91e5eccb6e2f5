/** What a body is made of. */
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
}

/**
 * Returns the body of an event. A completion is its history, as long as its webhook wants no envelope. All others have
 * the envelope `{"id", "type", "timestamp", "data"}`. The bytes are the same in every attempt.
 */
export function bodyOf({ eventId, eventName, data, extra, result, isEnveloped, eventAtMs }: Content): Buffer {
  if (result !== null && !isEnveloped) return Buffer.from(result);
  const members = [data, extra].map((text) => text.slice(1, -1));
  if (result !== null) members.push(`"result":${result}`);
  const envelope = { id: eventId, type: eventName, timestamp: new Date(eventAtMs).toISOString() };
  const fields = members.filter((text) => text !== '').join(',');
  return Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":{${fields}}}`);
}
