import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { type CsvFile, decodeText, type Encoding, readCsv } from '@parley/runtime/csv-reader';
import { useBots } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Locked } from '../../../ui/read-only.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Empty, ScreenHead, Section } from '../../../ui/states.tsx';
import { FaultTable, RejectedTable } from './faults.tsx';
import { csvFile, invite, type Invited, linksCsv } from './invite.ts';
import { type Checked, checkRows, columnsFor } from './rows.ts';

interface Chosen {
  name: string;
  encoding: Encoding;
  content: CsvFile;
}

/** Invites the customers of a CSV file, and offers their links as one. */
export function ImportInvitations() {
  const { invitations: t, interactions, bots: words, common } = useTexts();
  const { can } = useWorkspace();
  const missing = can('interactions:write') ? undefined : common.missingScope('interactions:write');
  const { data } = useBots();
  const bots = data ?? [];
  const [chosenBot, setBot] = useState<string>();
  const [file, setFile] = useState<Chosen>();
  const [isLocked, setLocked] = useState(false);
  const bot = bots.find(({ id }) => id === chosenBot) ?? bots[0];
  const context = bot?.context;
  const checked = useMemo(() => file && checkRows(file.content, context ?? []), [file, context]);
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
              disabled={isLocked || missing !== undefined}
              options={bots.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setBot}
              className="max-w-72"
            />
            <Columns columns={columnsFor(context ?? [])} />
            <FileField isLocked={isLocked || missing !== undefined} choose={setFile} />
            {file && <p role="status">{t.readAs(file.encoding)}</p>}
          </div>
        </Section>
        {checked && checked.faults.length > 0 && <FaultTable faults={checked.faults} />}
        {file && bot && checked?.faults.length === 0 && (
          <Run
            // Another file or bot is another run.
            key={`${bot.id} ${file.name} ${file.content.rows.length}`}
            botId={bot.id}
            checked={checked}
            lock={() => setLocked(true)}
          />
        )}
      </div>
    </>
  );
}

function Columns({ columns }: { columns: string[] }) {
  const { invitations: t } = useTexts();
  return (
    <div className="space-y-2">
      <p>
        {t.columns} <code className="font-mono text-xs">{columns.join(', ')}</code>
      </p>
      <p className="max-w-prose text-quiet">{t.columnsAbout}</p>
      <Button onClick={() => saveFile('customers.csv', new Blob([csvFile([columns])]))}>
        <Download size={15} aria-hidden="true" />
        {t.saveTemplate}
      </Button>
    </div>
  );
}

function FileField({ isLocked, choose }: { isLocked: boolean; choose(file: Chosen): void }) {
  const { invitations: t } = useTexts();
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-quiet">
        {t.file}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        disabled={isLocked}
        className="max-w-full text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-solid file:border-strong-line file:bg-panel file:px-3 file:text-ink"
        onChange={({ target: { files } }) => {
          const [file] = files ?? [];
          if (file) void readFile(file).then(choose);
        }}
      />
    </div>
  );
}

async function readFile(file: File): Promise<Chosen> {
  const { text, encoding } = decodeText(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, encoding, content: readCsv(text) };
}

interface RunProps {
  botId: string;
  checked: Checked;
  /** Called when the first call begins: the bot and the file stay then. */
  lock(): void;
}

function Run({ botId, checked, lock }: RunProps) {
  const { items: invitations } = checked;
  const { invitations: t, common } = useTexts();
  const { id, client, can } = useWorkspace();
  const cache = useQueryClient();
  const [runId] = useState(() => `console-${crypto.randomUUID()}`);
  const [done, setDone] = useState<Invited[]>([]);
  const sent = useMutation({
    mutationFn: () => {
      lock();
      return invite(client, { botId, runId, invitations }, done, setDone);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: [id, 'interactions'] }),
  });
  const missing = can('interactions:write') ? undefined : common.missingScope('interactions:write');
  const isComplete = done.length === invitations.length;
  return (
    <Section title={t.invite}>
      <div className="space-y-4 p-4">
        {done.length === 0 && <p>{t.ready(invitations.length)}</p>}
        {!isComplete && (
          <Button kind="primary" reason={missing} disabled={sent.isPending} onClick={() => sent.mutate()}>
            {sent.isPending ? common.working : done.length > 0 ? t.goOn : t.create(invitations.length)}
          </Button>
        )}
        {(sent.isPending || done.length > 0) && (
          <div>
            <progress
              aria-label={t.progress}
              max={invitations.length}
              value={done.length}
              className="progress h-3 w-full max-w-md"
            />
            <p role="status">{t.doneOf(done.length, invitations.length)}</p>
          </div>
        )}
        {sent.error && <Problem error={sent.error} />}
        {isComplete && <Result invited={done} checked={checked} />}
      </div>
    </Section>
  );
}

function Result({ invited, checked }: { invited: Invited[]; checked: Checked }) {
  const { invitations: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const rejected = invited.filter(({ error }) => error !== undefined);
  const created = invited.length - rejected.length;
  const save = (): void =>
    saveFile('links.csv', new Blob([linksCsv(invited, checked)], { type: 'text/csv;charset=utf-8' }));
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
