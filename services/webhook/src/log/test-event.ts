/** What a receiver is sent for a test: the form of all bodies, with a made-up talk. Times are seconds since 1970. */
export function testBody(interactionId: string, now: Date): Buffer {
  const timestamp = now.getTime() / 1_000;
  const said = (type: 'bot' | 'customer', body: string, secondsBefore: number) => ({
    body,
    timestamp: timestamp - secondsBefore,
    type,
  });
  return Buffer.from(
    JSON.stringify({
      customer_id: 'test-customer',
      interaction_id: interactionId,
      evaluation: { nps_score: '9', reason: 'This is a test.' },
      transcript: [
        said('bot', 'How likely are you to recommend us to a friend?', 30),
        said('customer', '9', 20),
        said('bot', 'What is the main reason for your score?', 20),
        said('customer', 'This is a test.', 5),
        said('bot', 'Thank you!', 5),
      ],
    }),
  );
}
