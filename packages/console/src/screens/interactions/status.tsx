import type { InteractionStatus, Priority } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';

const tones: Record<InteractionStatus, Tone> = {
  Draft: 'quiet',
  Pending: 'warn',
  InProgress: 'accent',
  Completed: 'good',
  Expired: 'bad',
};

export function Status({ status }: { status: InteractionStatus }) {
  const { interactions } = useTexts();
  return <Badge tone={tones[status]}>{interactions.statuses[status]}</Badge>;
}

/** The mark of a test interaction; nothing for others. */
export function TestMark({ isTest }: { isTest?: boolean | undefined }) {
  const { interactions } = useTexts();
  return isTest && <Badge tone="accent">{interactions.test}</Badge>;
}

export function PriorityText({ priority }: { priority: Priority }) {
  const { interactions } = useTexts();
  return <span className="text-quiet">{interactions.priorities[priority]}</span>;
}
