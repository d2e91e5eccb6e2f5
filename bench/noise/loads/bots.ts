import type { Attack, Load } from '../attack.ts';
import {
  type BuildBot,
  conditionsBot,
  faultyBot,
  manyConditions,
  nextBotKey,
  patternBot,
  textsBot,
  valuesBot,
} from '../bots.ts';

/** The longest answer. */
const longText = 'abcdefghijklmnopqrs '.repeat(200);
/** As long as a large pattern allows. */
const shortText = longText.slice(0, 120);
/** A session may send 30 messages a minute. */
const messagesPerSession = 25;
const conversationsAtOnce = 14;

/** Conversations that cost much per message, and definitions that cost much to check. */
export const botLoads: readonly Load[] = [
  {
    name: 'expensive-bot',
    does: '14 conversations with the heaviest bot of conditions over long answers',
    run: (attack) => converse(attack, conditionsBot),
  },
  {
    name: 'values-bot',
    does: '14 conversations with the heaviest bot that computes long values',
    run: (attack) => converse(attack, valuesBot),
  },
  {
    name: 'texts-bot',
    does: '14 conversations with the heaviest bot that fills long answers into texts',
    run: (attack) => converse(attack, textsBot),
  },
  {
    name: 'pattern-bot',
    does: '14 conversations with the heaviest bot that checks answers by a pattern',
    run: (attack) => converse(attack, patternBot, { first: shortText, later: shortText }),
  },
  {
    name: 'publish-bots',
    does: '8 at once publish versions of a bot of 60 KB with many conditions',
    run: async (attack) => {
      const key = nextBotKey();
      const id = await publish(attack, manyConditions(key, 60_000));
      await attack.parallel(8, () => post(attack, `/bots/${id}/versions`, manyConditions(key, 60_000)));
    },
  },
  {
    name: 'create-bots',
    does: '8 at once create bots of 60 KB with many conditions',
    run: (attack) => attack.parallel(8, () => post(attack, '/bots', manyConditions(nextBotKey(), 60_000))),
  },
  {
    name: 'large-definitions',
    does: '8 at once send definitions of 250 KB with many conditions',
    run: (attack) => attack.parallel(8, () => post(attack, '/bots', manyConditions(nextBotKey(), 250_000))),
  },
  {
    name: 'faulty-definitions',
    does: '8 at once send definitions of 60 KB with hundreds of faults',
    run: (attack) => attack.parallel(8, () => post(attack, '/bots', faultyBot(nextBotKey()))),
  },
  {
    name: 'list-bots',
    does: '12 lists of thousands of bots per second',
    run: ({ every, call, base }) => every(12, () => call({ method: 'GET', path: `${base}/bots` })),
  },
  {
    name: 'list-versions',
    does: '12 lists of thousands of versions per second',
    run: ({ every, call, base, attacker }) =>
      every(12, () => call({ method: 'GET', path: `${base}/bots/${attacker.botId}/versions` })),
  },
];

async function publish({ prepare, base }: Attack, body: object): Promise<string> {
  return (await prepare<{ id: string }>({ method: 'POST', path: `${base}/bots`, body })).id;
}

async function post({ call, base }: Attack, path: string, body: object): Promise<void> {
  await call({ method: 'POST', path: base + path, body: JSON.stringify(body) });
}

/** Publishes the heaviest bot that is accepted, to the nearest power of two. */
async function publishHeaviest(attack: Attack, build: BuildBot, share = 1): Promise<string> {
  try {
    return await publish(attack, build(nextBotKey(), share));
  } catch (error) {
    if (share < 1 / 1_000) throw error;
    return publishHeaviest(attack, build, share / 2);
  }
}

interface Texts {
  first: string;
  later: string;
}

/** Holds conversations: a long answer, then short ones until the conversation takes no more. */
async function converse(
  attack: Attack,
  build: BuildBot,
  texts: Texts = { first: longText, later: 'x' },
): Promise<void> {
  const botId = await publishHeaviest(attack, build);
  await attack.parallel(conversationsAtOnce, () => conversation(attack, botId, texts));
}

interface Place {
  seq: number;
  input: { stepId: string } | null;
}

async function conversation(attack: Attack, botId: string, texts: Texts): Promise<void> {
  const { call, base, visible, signal, attacker, sessions } = attack;
  const created = await call(
    {
      method: 'POST',
      path: `${base}/interactions`,
      body: JSON.stringify({ customerId: 'talker', botId, status: 'Pending' }),
    },
    { wantsText: true },
  );
  if (created?.status !== 200) return;
  const { id } = dataOf<{ id: string }>(created.text);
  const send = async (path: string, body: string, sessionToken: string): Promise<Place | undefined> => {
    const headers = { Authorization: `Bearer ${sessionToken}` };
    const request = { method: 'POST', path: `${visible}/conversations/${id}${path}`, headers, body };
    const answer = await call(request, { wantsText: true });
    return answer?.status === 200 ? dataOf<Place>(answer.text) : undefined;
  };
  const subject = { $case: 'interaction', value: { interactionId: id, linkVersion: 1 } } as const;
  const openSession = () => sessions.issue({ workspaceId: attacker.workspaceId, subject, fenceVersion: 0 });

  let session = await openSession();
  let place = await send('/start', '{}', session);
  for (let said = 0; place?.input && !signal.aborted; said += 1) {
    if (said % messagesPerSession === messagesPerSession - 1) session = await openSession();
    const message = {
      clientMessageId: `m${said}`,
      expectedSeq: place.seq,
      stepId: place.input.stepId,
      answer: { text: said === 0 ? texts.first : texts.later },
    };
    place = await send('/messages', JSON.stringify(message), session);
  }
}

function dataOf<Data>(text: string): Data {
  return (JSON.parse(text) as { data: Data }).data;
}
