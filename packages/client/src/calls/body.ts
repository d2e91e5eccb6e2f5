// The error of a proxy may have no end.
const errorLengthMax = 2 ** 20;

/** Returns the text of an answer; of an error with a long body only its beginning. */
export async function textOf(response: Response): Promise<string> {
  if (response.ok || !response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < errorLengthMax) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
