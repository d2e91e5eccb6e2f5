import { describe, expect, it } from 'vitest';
import { closeConversation } from './completion.ts';

const now = new Date('2026-11-21T09:30:00Z');

describe('closeConversation', () => {
  it('keeps the transcript, and sets an empty history without a conversation', () => {
    const closed = { status: 'Completed', completedAt: now };
    const row = { evaluation: null, transcript: null };
    expect(closeConversation(row, now)).toEqual({ ...closed, evaluation: {}, transcript: [] });
    const conversation = {
      evaluation: { a: 'b' },
      transcript: [{ seq: 1, type: 'bot' as const, body: 'Hi', timestamp: 1 }],
    };
    expect(closeConversation(conversation, now)).toEqual({ ...closed, ...conversation });
  });
});
