import type { Webhook, WebhookStats } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';

/** Whether a webhook gets its events, in a word. Only its statistics say that. */
export function WebhookState({ webhook, stats }: { webhook: Webhook; stats: WebhookStats | undefined }) {
  const { webhooks: t } = useTexts();
  if (!stats) return <Badge tone="quiet">{t.stateUnknown}</Badge>;
  if (!webhook.isActive) {
    const reason = stats.inactiveReason ?? 'user';
    return <Badge tone={reason === 'user' ? 'quiet' : 'bad'}>{t.inactive[reason]}</Badge>;
  }
  if (stats.pauseReason) return <Badge tone="warn">{t.pausedBy[stats.pauseReason]}</Badge>;
  if (stats.failingSince) return <Badge tone="bad">{t.failing}</Badge>;
  if (stats.delayReason) return <Badge tone="warn">{t.delayedBy[stats.delayReason]}</Badge>;
  return <Badge tone="good">{t.active}</Badge>;
}
