import { expectTypeOf, test } from 'vitest';
import type { Message as OfClient } from './client.ts';
import type { Message } from './public.ts';

test('an answer is exactly one of a value, text and nothing', () => {
  const sent: Message['answer'][] = [{ value: 9 }, { value: ['a'] }, { text: '9' }, { skip: true }];
  expectTypeOf(sent).items.toExtend<Message['answer']>();
  expectTypeOf<object>().not.toExtend<Message['answer']>();
  expectTypeOf<{ value: number; text: string }>().not.toExtend<Message['answer']>();
  expectTypeOf<{ text: string; skip: true }>().not.toExtend<Message['answer']>();
  expectTypeOf<{ value: number; skip: true }>().not.toExtend<Message['answer']>();
  expectTypeOf<{ skip: false }>().not.toExtend<Message['answer']>();
  expectTypeOf<OfClient>().toEqualTypeOf<Message>();
});
