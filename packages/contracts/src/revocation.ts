/**
 * The NATS subject on which a gateway is told to forget a key: asked with the key as text, it answers with the same text
 * once it has forgotten. Outside of what the event stream takes in, whose acknowledgement could be taken for that answer.
 */
export function forgetSubject(holder: string): string {
  return `parley-gateway.${holder}.forget`;
}
