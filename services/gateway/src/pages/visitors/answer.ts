import { endsOf, oneClicksOf } from '@parley/bot/one-click';
import type { Click } from '@parley/bot/question-types';
import { randomUUID } from 'node:crypto';
import type { OpenLinkResponse, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { toAppError } from '@parley/runtime/errors';
import { escaped } from '@parley/runtime/html';
import { locale as localeSchema, toSnapshot } from '../../api/conversations/present.ts';
import { toBrandingIfAny } from '../../api/workspaces/present-branding.ts';
import { callOf, logServerFault, type RequestContext, send } from '../../http/answer/request-context.ts';
import type { Resource } from '../../http/answer/resource.ts';
import { consumeOrThrow, type RateLimits } from '../../limits/rate-limit.ts';
import type { Peers } from '../../peers.ts';
import type { Sealed } from '../../values/personal.ts';
import { ownConversation } from '../../values/reader.ts';
import { requireOwnPage, sessionOf, startLinked } from './linked-conversation.ts';
import type { PageBranding } from '../page-branding.ts';
import { privacyOf } from './brand.ts';
import { privateFields, sendFailurePage, sendVisitorPage } from './visitor-page.ts';
import { visitorLocale, visitorWords } from './visitor-words.ts';

export interface AnswerPages {
  /** Where browsers find the API, without a trailing slash. */
  publicUrl: string;
  peers: Pick<Peers, 'conversations'>;
  brandingOf: PageBranding;
  rateLimits: Pick<RateLimits, 'conversation'>;
}

/**
 * Returns the page of an answer in an e-mail. Programs open links of e-mails, and some run scripts, so reading it
 * changes nothing and it has no script: its button posts. Then the conversation starts, gets the answer, and goes on in
 * the page of its link.
 */
export function answerResource(pages: AnswerPages): Resource {
  const answering = (work: (context: RequestContext, opened: OpenLinkResponse) => Promise<void>) => {
    return async (context: RequestContext): Promise<void> => {
      try {
        const { conversations } = pages.peers;
        const opened = await conversations.openLink({ token: tokenOf(context) }, callOf(context).rpc());
        if (isOver(opened)) return redirect(context, '');
        await work(context, opened);
      } catch (error) {
        sendFailurePage(context, toAppError(error));
      }
    };
  };
  const answerPost = answering((context, opened) => post(pages, context, opened));
  return {
    path: '/interactions/:token/answer',
    isPage: true,
    callsServices: true,
    show: answering((context, opened) => show(pages, context, opened)),
    post: async (context) => () => answerPost(context),
  };
}

/** The page of the link says why. */
function isOver({ unavailable, status, availableFrom }: OpenLinkResponse): boolean {
  return unavailable || availableFrom !== null || (status !== 'Pending' && status !== 'InProgress');
}

function tokenOf({ request }: RequestContext): string {
  return String(request.params['token']);
}

function queryOf({ request }: RequestContext): URLSearchParams {
  return new URL(request.url, 'http://localhost').searchParams;
}

/** Returns the language of the link, else the language of the visitor's browser. */
function localeOf(context: RequestContext): string | undefined {
  return localeSchema.safeParse(queryOf(context).get('locale')).data ?? visitorLocale(context.request);
}

function redirect(context: RequestContext, fragment: string): void {
  const location = `${context.request.baseUrl}/interactions/${tokenOf(context)}${fragment}`;
  send(context, 303, '', { Location: location, ...privateFields });
}

interface Question {
  text: string;
  stepId: string;
  seq: number;
  answers: Click[];
  chosen: Click;
  ends: { low: string; high: string } | undefined;
  isTest: boolean;
}

/** Returns the question that the link is about, if it is the current one; undefined otherwise. */
function questionIn(snapshot: Sealed<Snapshot>, query: URLSearchParams): Question | undefined {
  const { input, entries, seq, isTest = false } = toSnapshot(snapshot, ownConversation);
  const answers = input && oneClicksOf(input);
  const chosen = answers?.find(({ key }) => key === query.get('answer'));
  if (!input || !answers || !chosen || input.stepId !== query.get('step')) return undefined;
  const text = entries.findLast(({ type }) => type === 'bot')?.body ?? '';
  return { text, stepId: input.stepId, seq, answers, chosen, ends: endsOf(input, answers), isTest };
}

/** Returns how the conversation would begin, or where it is, without an effect. */
async function previewed(
  { peers }: AnswerPages,
  context: RequestContext,
  opened: OpenLinkResponse,
): Promise<Sealed<Snapshot>> {
  const { interactionId, grant } = opened;
  const { rpc } = callOf({ ...context, grant });
  const request = { session: sessionOf(opened), interactionId, locale: localeOf(context) };
  return peers.conversations.previewConversation(request, rpc());
}

async function show(pages: AnswerPages, context: RequestContext, opened: OpenLinkResponse): Promise<void> {
  const { workspaceId, botName } = opened;
  const question = questionIn(await previewed(pages, context, opened), queryOf(context));
  // The bot has changed, or the question is answered.
  if (!question) return redirect(context, '');
  const row = await pages.brandingOf(workspaceId, context);
  const brand = row && toBrandingIfAny(workspaceId, row, pages.publicUrl);
  const { words } = visitorWords(context.request);
  const name = brand?.displayName ?? botName;
  sendVisitorPage(context, 200, {
    title: name,
    heading: name,
    lines: [question.text],
    isTest: question.isTest,
    brand,
    more: `${answerList(context, question)}<form class="choices" method="post" action="${hrefOf(context, question.chosen)}">
<button type="submit">${escaped(words.send)}: ${escaped(question.chosen.label)}</button>
</form>
${privacyOf(brand)}`,
  });
}

function answerList(context: RequestContext, { answers, chosen, ends }: Question): string {
  const shown = answers.map((one) =>
    one === chosen
      ? `<strong aria-current="true">✓ ${escaped(one.label)}</strong>`
      : `<a href="${hrefOf(context, one)}">${escaped(one.label)}</a>`,
  );
  const meaning = ends
    ? `<p>${escaped(`${answers[0]?.label}: ${ends.low} – ${answers.at(-1)?.label}: ${ends.high}`)}</p>\n`
    : '';
  return `<p class="choices">${shown.join('\n')}</p>\n${meaning}`;
}

function hrefOf(context: RequestContext, { key }: Click): string {
  const query = queryOf(context);
  query.set('answer', key);
  return `?${escaped(String(query))}`;
}

async function post(pages: AnswerPages, context: RequestContext, opened: OpenLinkResponse): Promise<void> {
  requireOwnPage(context.request);
  const { conversations } = pages.peers;
  const { interactionId, grant } = opened;
  consumeOrThrow(context.fields, pages.rateLimits.conversation, `answer ${interactionId}`);
  const preview = await previewed(pages, context, opened);
  // A post without an answer to the question starts nothing. One that is repeated leads to what it has begun.
  if (!questionIn(preview, queryOf(context))) {
    return redirect(context, preview.status === 'Pending' ? '' : '#resume');
  }
  const begun = await startLinked({ opened, locale: localeOf(context) }, context, conversations);
  const question = begun && questionIn(begun, queryOf(context));
  if (question) {
    const { stepId, seq: expectedSeq, chosen } = question;
    const answer = { $case: 'valueJson', value: JSON.stringify(chosen.value) } as const;
    const message = { clientMessageId: randomUUID(), expectedSeq, stepId, answer };
    const { rpc } = callOf({ ...context, grant });
    try {
      await conversations.postMessage({ session: sessionOf(opened), interactionId, ...message }, rpc());
    } catch (error) {
      // The page of the conversation shows what it has become.
      logServerFault(context, toAppError(error));
    }
  }
  redirect(context, '#resume');
}
