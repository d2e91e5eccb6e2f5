type Specified<Value extends string> = Exclude<Value, `${string}_UNSPECIFIED`>;

/** Throws if the value is unspecified. */
export function specified<Value extends string>(value: Value): Specified<Value> {
  if (!isSpecified(value)) throw new Error('a service left an enum unspecified');
  return value;
}

function isSpecified<Value extends string>(value: Value): value is Specified<Value> {
  return !value.endsWith('_UNSPECIFIED');
}

/** Throws if the message is missing. */
export function required<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) throw new Error('a service left a required message out');
  return message;
}
