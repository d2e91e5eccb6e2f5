import { unexpectedAnswer } from './answer.ts';

// The error of a proxy may have no end, and a compressed answer may be far larger than what was sent.
const errorLengthMax = 2 ** 20;
const answerLengthMax = 64 * 2 ** 20;

/** Returns the text of an answer; of an error with a long body only its beginning. Throws for other long bodies. */
export async function textOf(response: Response): Promise<string> {
  const { ok, status } = response;
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < (ok ? answerLengthMax : errorLengthMax)) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  if (ok) throw unexpectedAnswer({ status });
  return text;
}
