type Specified<Value extends string> = Exclude<Value, `${string}_UNSPECIFIED`>;

/** An enum value that a service has set. Throws for the unspecified one, which would be a fault of ours. */
export function specified<Value extends string>(value: Value): Specified<Value> {
  if (!isSpecified(value)) throw new Error('a service left an enum unspecified');
  return value;
}

function isSpecified<Value extends string>(value: Value): value is Specified<Value> {
  return !value.endsWith('_UNSPECIFIED');
}

/** A message that a response must hold. Throws when it does not, which would be a fault of ours. */
export function required<Message>(message: Message | null): Message {
  if (message === null) throw new Error('a service left a required message out');
  return message;
}
