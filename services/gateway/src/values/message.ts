type Specified<Value extends string> = Exclude<Value, `${string}_UNSPECIFIED`>;

/** Returns an enum value of a service. Throws if it is unspecified. */
export function specified<Value extends string>(value: Value): Specified<Value> {
  if (!isSpecified(value)) throw new Error('a service left an enum unspecified');
  return value;
}

function isSpecified<Value extends string>(value: Value): value is Specified<Value> {
  return !value.endsWith('_UNSPECIFIED');
}

/** Returns a message of a response. Throws if it is missing. */
export function required<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) throw new Error('a service left a required message out');
  return message;
}
