import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sharedBinDir } from '@parley/local/processes/nats-server';
import type { DistributionProgram } from '@parley/testing/servers/distribution-program';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { findPython } from '@parley/testing/servers/python';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { CodeSample } from '../../services/gateway/src/openapi/samples.ts';
import { operationsOf } from '../api/operations.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

// The wheel of the Python SDK, and the programs of its README, as they are.

const { baseUrl } = inject('local');
const root = resolve(import.meta.dirname, '../..');
const stopped = new AsyncDisposableStack();
let python: DistributionProgram;
let folder: string;
let archives: string[];
let env: NodeJS.ProcessEnv;

/** Runs a program. A failure has its output. */
async function run(command: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: folder, env: { ...env, ...more } })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return expect.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

beforeAll(async () => {
  python = await findPython();
  folder = stopped.use(await temporaryFolder('python')).path;
  env = { ...process.env, ...python.env };
  const dist = join(folder, 'dist');
  await run('sh', [join(root, 'packages/local/run.sh'), join(root, 'packages/sdk-python/build.ts'), dist]);
  archives = (await readdir(dist)).toSorted();
  const wheel = archives.find((name) => name.endsWith('.whl')) ?? '';
  // A wheel is a zip file of what it installs.
  const installed = join(folder, 'installed');
  await run(python.path, ['-m', 'zipfile', '-e', join(dist, wheel), installed]);
  env = {
    ...env,
    PYTHONPATH: [installed, python.env['PYTHONPATH']].filter(Boolean).join(':'),
    MYPYPATH: installed,
    MYPY_CACHE_DIR: join(sharedBinDir, '../mypy'),
  };
  const readme = await readFile(join(root, 'packages/sdk-python/README.md'), 'utf8');
  const programs = [...readme.matchAll(/^```python\n(.*?)^```/gms)].map(([, code = '']) => code);
  const names = ['call', 'receiver', 'export', 'importer'];
  expect(programs).toHaveLength(names.length);
  for (const [index, name] of names.entries())
    await writeFile(join(folder, `${name}.py`), programs[index] ?? '');
});

afterAll(() => stopped.disposeAsync());

test('the build has a wheel and a source archive, with the marker of a typed package', async () => {
  expect(archives).toEqual(['parley-0.2.0-py3-none-any.whl', 'parley-0.2.0.tar.gz']);
  expect(await readdir(join(folder, 'installed/parley'))).toContain('py.typed');
});

/** Checks types for the oldest Python that has the package. With one version for all, mypy reads its libraries once. */
const checkTypes = (...what: string[]): Promise<string> =>
  run(python.path, ['-m', 'mypy', '--strict', '--python-version', '3.9', ...what]);

test('the package and the programs of its README pass mypy --strict', async () => {
  await checkTypes('-p', 'parley');
  await checkTypes('call.py', 'receiver.py', 'export.py', 'importer.py');
});

test('the Python sample of every operation passes mypy --strict', async () => {
  const samples = operationsOf(inject('openapi')).flatMap((operation) => {
    const { operationId, 'x-codeSamples': given } = operation as typeof operation & {
      'x-codeSamples': CodeSample[];
    };
    return given.flatMap(({ lang, source }) =>
      lang === 'Python' ? { file: `${operationId}.py`, source } : [],
    );
  });
  expect(samples.length).toBeGreaterThan(70);
  for (const { file, source } of samples) await writeFile(join(folder, file), source);
  await checkTypes(...samples.map(({ file }) => file));
});

test('the Python of the documentation passes mypy --strict', async () => {
  const pages = ['client.md', 'client-calls.md', 'customer-sessions.md'].map((name) =>
    readFile(join(root, 'docs', name), 'utf8'),
  );
  const text = (await Promise.all(pages)).join('\n');
  const blocks = [...text.matchAll(/^```python\n(.*?)^```/gms)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(9);
  const given = `from typing import Any, List
from parley import CallOptions, ParleyError, WorkspaceClient
from parley.types import RejectedItem
workspace: WorkspaceClient
secrets: List[str]
saved_cursor: Any
request: Any
bot_id = interaction_id = webhook_id = workspace_id = "id"
`;
  const files = blocks.map((_, index) => `page_${index}.py`);
  for (const [index, file] of files.entries())
    await writeFile(join(folder, file), given + (blocks[index] ?? ''));
  await checkTypes(...files);
});

test('the programs of the README do a first call, a first export and a first import', async () => {
  const { workspace } = await createNpsWorkspace(baseUrl, inject('operator'));
  const access = {
    PARLEY_URL: baseUrl,
    PARLEY_API_KEY: workspace.apiKey,
    PARLEY_API_SECRET: workspace.apiSecret,
    PARLEY_WORKSPACE: workspace.id,
  };
  expect(await run(python.path, ['call.py'], access)).toContain(`${baseUrl}/`);
  await run(python.path, ['call.py'], access);
  await eventually(async () => {
    const lines = (await run(python.path, ['export.py'], access)).trimEnd().split('\n');
    expect(lines.slice(0, -1)).toEqual(['grace Pending None', 'grace Pending None']);
  });
  await writeFile(join(folder, 'customers.csv'), 'id,first_name\nada,Ada\n..,No\n');
  expect(await run(python.path, ['importer.py'], access)).toMatch(/^ada http\S+\n\.\. invalid-request .+\n$/);
});

test('arguments, header fields and answers that are no such are refused, and a secret is not printed', async () => {
  await writeFile(join(folder, 'hostile.py'), hostile);
  expect(await run(python.path, ['hostile.py'])).toBe('done\n');
});

const hostile = `
import base64, hmac, httpx
from parley import *
from parley._core import CallInput, Operation
from parley.types import RotateSigningSecretResult

def fails(kind, call):
    try:
        call()
    except kind as error:
        assert "hidden" not in str(error), error
    else:
        raise AssertionError(kind)

def client(base_url="https://parley.example", content=b"", **more):
    http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, content=content)))
    return Parley(base_url=base_url, api_key="k", api_secret="hidden", http_client=http, **more).workspace("w")

for url in (None, "http://parley.example\\n", "http://parley.example/\\n", "http://me:hidden/x@h", "http://h:99999", "http://["):
    fails(ValueError, lambda: client(url))
for timeout in (None, "5", -1, float("nan")):
    fails(ValueError, lambda: client(timeout=timeout))
deep = b"[" * 100_000
fails(UnexpectedAnswerError, lambda: client(content=deep).customers.get("a"))
fails(UnexpectedAnswerError, lambda: list(client(content=deep + b"\\n").interactions.export()))
assert client(content=b'{"success": true, "data": 5}').customers.list().page().data == []
for timeout, silence in ((5, 120), (300, 300)):
    limits, cursors = [], []
    class Silent(httpx.SyncByteStream):
        def __init__(self, request):
            self.request = request
        def __iter__(self):
            limits.append(self.request.extensions["timeout"]["read"])
            yield b'{"id": "a", "cursor": "1"}\\n'
            if len(limits) == 2:
                yield b'{"end": true, "rows": 0, "cursor": "2"}\\n'
            raise httpx.ReadTimeout("silent")
    def answer(request):
        assert request.extensions["timeout"]["read"] == timeout
        cursors.append(request.url.params.get("cursor"))
        return httpx.Response(200, stream=Silent(request))
    http = httpx.Client(transport=httpx.MockTransport(answer))
    silent = Parley(base_url="http://h", api_key="k", api_secret="s", http_client=http, timeout=timeout).workspace("w")
    assert [one.id for one in silent.interactions.export()] == ["a", "a"] and cursors == [None, "1"]
    fails(NoAnswerError, lambda: list(silent.interactions.export().csv()))
    assert limits == [silence] * 3
for key, kind in (("a\\r\\nx: y", ValueError), ("", ValueError), (5, TypeError)):
    fails(kind, lambda: client().customers.create(id="a", options=CallOptions(idempotency_key=key)))
fails(TypeError, lambda: client().customers.get("a", options={"timeout": 5}))

secret, body = "whsec_" + base64.b64encode(b"hidden").decode(), b"{}"
code = base64.b64encode(hmac.digest(b"hidden", b"e.1000.{}", "sha256")).decode()
fields = {"webhook-id": "e", "webhook-timestamp": "1000", "webhook-signature": "v1," + code}
assert verify_webhook(fields, body, secret, now=1000).id == "e"
refused = WebhookVerificationError
fails(refused, lambda: verify_webhook(fields, body, secret, now=9000, tolerance=float("nan")))
for name in ("webhook-id", "webhook-signature"):
    fails(refused, lambda: verify_webhook({**fields, name: "\\ud800"}, body, secret, now=1000))
fails(TypeError, lambda: verify_webhook(fields, body, [None], now=1000))
fails(ValueError, lambda: verify_webhook(fields, body, "whsec_\u00fc", now=1000))
assert not has_secret_token("/hook?secretToken=", "") and not has_secret_token("http://[", "t")
fails(ValueError, lambda: instant("2026-11-21T09:30:00+02:00"))
fails(TypeError, lambda: client().customers.get("a", options=CallOptions(idempotency_key="b")))
workspace = client()
holders = [
    RotateSigningSecretResult(signing_secret="hidden"),
    CallOptions(headers={"authorization": "hidden"}),
    Parley(base_url="http://h", api_key="k", api_secret="hidden").public.session("w", "hidden"),
    workspace.customers.list(),
    workspace.interactions.export(),
    workspace.customers._send.request(Operation("GET", "/"), CallInput(), CallOptions()),
]
basic = base64.b64encode(b"k:hidden").decode()
assert "hidden" not in repr([workspace, *holders]) and basic not in repr([workspace, *holders])
print("done")
`;

test('the receiver of the README prints what is signed, and refuses the rest', async () => {
  const secret = `whsec_${Buffer.from('a secret of this test').toString('base64')}`;
  const port = await freePort();
  const settings = { ...env, PORT: String(port), PARLEY_SIGNING_SECRET: secret, PYTHONUNBUFFERED: '1' };
  const receiver = spawn(python.path, ['receiver.py'], { cwd: folder, env: settings });
  stopped.defer(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });
  let printed = '';
  receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const post = async (body: string, key: string): Promise<number> => {
    const now = new Date();
    const headers = {
      'webhook-id': 'e-1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign('e-1', now, body),
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  const body = JSON.stringify({
    customer_id: 'ada',
    interaction_id: 'i',
    evaluation: { nps_score: '9' },
    transcript: [],
  });
  await eventually(async () => expect(await post(body, secret)).toBe(204));
  expect(await post(body, `whsec_${Buffer.from('another secret').toString('base64')}`)).toBe(401);
  await eventually(() => expect(printed).toContain("e-1 {'nps_score': '9'}\nrefused: no signature fits"));
});
