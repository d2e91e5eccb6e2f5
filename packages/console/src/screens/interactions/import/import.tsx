import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { csvFile } from '@parley/bulk/csv';
import { columnsFor, type CsvLines, readCsvLines } from '@parley/bulk/csv-lines';
import { decodeText, type Encoding } from '@parley/bulk/decode';
import { faultsInOrder } from '@parley/bulk/faults';
import { botFaults, botNames, faultsBetween, readContexts } from '@parley/bulk/lines';
import { linksFile } from '@parley/bulk/results';
import { useBots } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button, buttonClass } from '../../../ui/forms/button.tsx';
import { FileField, SelectField } from '../../../ui/forms/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Locked, useMissingScope } from '../../../ui/read-only.tsx';
import { saveFile } from '../../../ui/forms/save-file.ts';
import { Empty, ScreenHead, Section } from '../../../ui/states.tsx';
import { FaultTable, RejectedTable } from './faults.tsx';
import { invite, type Invited } from './invite.ts';

interface Chosen {
  name: string;
  encoding: Encoding;
  text: string;
}

/** Spreadsheets do not read UTF-8 without it. */
const byteOrderMark = '\uFEFF';

/** Invites the customers of a CSV file, and offers their links as one. */
export function ImportInvitations() {
  const { invitations: t, interactions, bots: words } = useTexts();
  const missing = useMissingScope('interactions:write');
  const { data } = useBots();
  const bots = data ?? [];
  const [chosenBot, setBot] = useState<string>();
  const [file, setFile] = useState<Chosen>();
  const [isLocked, setLocked] = useState(false);
  const isFixed = isLocked || missing !== undefined;
  const choose = (chosen: File): void => void readFile(chosen).then(setFile);
  const bot = bots.find(({ id }) => id === chosenBot) ?? bots[0];
  const botId = bot?.id;
  const read = useMemo(
    () => (file && botId !== undefined ? readCsvLines(file.text, { botId, status: 'Pending' }) : undefined),
    [file, botId],
  );
  const { faults, error, refetch } = useFaults(read);
  if (data?.length === 0) {
    return (
      <>
        <ScreenHead title={t.title} />
        <Empty title={words.none}>{words.noneHow}</Empty>
      </>
    );
  }
  return (
    <>
      <ScreenHead title={t.title} />
      <div className="space-y-4">
        <Section title={t.fileTitle}>
          <div className="space-y-4 p-4">
            <Locked reason={missing} />
            <p className="max-w-prose text-quiet">{t.about}</p>
            <SelectField
              label={interactions.bot}
              value={bot?.id ?? ''}
              disabled={isFixed}
              options={bots.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setBot}
              className="max-w-72"
            />
            <Columns columns={columnsFor(bot?.context ?? [])} />
            <FileField label={t.file} accept=".csv,text/csv" disabled={isFixed} choose={choose} />
            {file && <p role="status">{t.readAs(file.encoding)}</p>}
          </div>
        </Section>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {faults && faults.length > 0 && <FaultTable faults={faults} />}
        {file && read && bot && faults?.length === 0 && (
          <Run
            // Another file or bot is another run.
            key={`${bot.id} ${file.name} ${read.lines.length}`}
            file={read}
            lock={() => setLocked(true)}
          />
        )}
      </div>
    </>
  );
}

/** Returns all faults of a file. Its bots are looked up if it has no other fault. Undefined until they are known. */
function useFaults(read: CsvLines | undefined) {
  const { id, client } = useWorkspace();
  const { lines = [] } = read ?? {};
  const own = useMemo(() => read && faultsInOrder([...read.faults, ...faultsBetween(read.lines)]), [read]);
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'bots', 'of a file', botNames(lines)],
    queryFn: ({ signal }) =>
      readContexts(lines, async (query) => (await client.bots.list(query, { signal })).data),
    enabled: own?.length === 0,
  });
  const ofBots = useMemo(() => read && data && botFaults(read.lines, data), [read, data]);
  return { faults: own && own.length > 0 ? own : ofBots, error, refetch };
}

function Columns({ columns }: { columns: string[] }) {
  const { invitations: t } = useTexts();
  // The bot is chosen above.
  const template = columns.filter((name) => name !== 'botId' && name !== 'botKey');
  return (
    <div className="space-y-2">
      <p>
        {t.columns} <code className="font-mono text-xs">{columns.join(', ')}</code>
      </p>
      <p className="max-w-prose text-quiet">{t.columnsAbout}</p>
      <Button onClick={() => saveFile('customers.csv', new Blob([byteOrderMark, csvFile([template])]))}>
        <Download size={15} aria-hidden="true" />
        {t.saveTemplate}
      </Button>
    </div>
  );
}

async function readFile(file: File): Promise<Chosen> {
  const { text, encoding } = decodeText(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, encoding, text };
}

interface RunProps {
  file: CsvLines;
  /** Called when the first call begins: the bot and the file stay then. */
  lock(): void;
}

function Run({ file, lock }: RunProps) {
  const { lines } = file;
  const { invitations: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [runId] = useState(() => `console-${crypto.randomUUID()}`);
  const [done, setDone] = useState<Invited[]>([]);
  const sent = useMutation({
    mutationFn: () => {
      lock();
      return invite(client, { runId, lines }, done, setDone);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: [id, 'interactions'] }),
  });
  const missing = useMissingScope('interactions:write');
  const isComplete = done.length === lines.length;
  return (
    <Section title={t.invite}>
      <div className="space-y-4 p-4">
        {done.length === 0 && <p>{t.ready(lines.length)}</p>}
        {!isComplete && (
          <Button kind="primary" reason={missing} disabled={sent.isPending} onClick={() => sent.mutate()}>
            {sent.isPending ? common.working : done.length > 0 ? t.goOn : t.create(lines.length)}
          </Button>
        )}
        {(sent.isPending || done.length > 0) && (
          <div>
            <progress
              aria-label={t.progress}
              max={lines.length}
              value={done.length}
              className="progress h-3 w-full max-w-md"
            />
            <p role="status">{t.doneOf(done.length, lines.length)}</p>
          </div>
        )}
        {sent.error && <Problem error={sent.error} />}
        {isComplete && <Result invited={done} file={file} />}
      </div>
    </Section>
  );
}

function Result({ invited, file }: { invited: Invited[]; file: CsvLines }) {
  const { invitations: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const rejected = invited.filter(({ error }) => error !== undefined);
  const created = invited.length - rejected.length;
  const save = (): void =>
    saveFile(
      'links.csv',
      new Blob([byteOrderMark, linksFile(invited, file)], { type: 'text/csv;charset=utf-8' }),
    );
  return (
    <>
      <p>{t.created(created)}</p>
      <p className="text-quiet">{t.formulas}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" reason={created === 0 ? t.noLinks : undefined} onClick={save}>
          <Download size={15} aria-hidden="true" />
          {t.saveLinks}
        </Button>
        <Link
          to="/w/$workspaceId/interactions"
          params={{ workspaceId }}
          search={{ status: 'Pending' }}
          className={buttonClass()}
        >
          {t.toList}
        </Link>
      </div>
      {rejected.length > 0 && <RejectedTable rejected={rejected} />}
    </>
  );
}
