import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const maxBuffer = 64 * 1024 * 1024;

export interface Image {
  /** The folder that is `/` in a container, without the base image. */
  folder: string;
  workdir: string;
  env: Record<string, string>;
  args: string[];
}

interface Stage {
  from: string;
  instructions: Instruction[];
}

interface Built {
  folder: string;
  workdir: string;
  env: Record<string, string>;
  cmd: string[];
}

/** The build of images by the instructions of `deploy/Dockerfile`. */
export interface Builder {
  /** Builds the image of a service. Stages that do not declare `SERVICE` are built once for all services. */
  build(service: string): Promise<Image>;
  /** The commands that were run so far, in order. */
  commands: readonly string[];
}

/**
 * Runs the instructions of `deploy/Dockerfile` in a folder, without a container engine: each stage is a folder, and
 * base images are empty. Commands run on this machine, with its Node and its store of pnpm.
 */
export async function openBuilder(folder: string): Promise<Builder> {
  const context = await contextOf(join(folder, 'context'));
  const stages = stagesOf(await readFile(join(root, 'deploy/Dockerfile'), 'utf8'));
  const commands: string[] = [];
  const done = new Map<string, Promise<Built>>();

  const find = (name: string, service: string): Promise<Built> => {
    const stage = stages.get(name);
    // A base image, or another name of one.
    if (!stage?.instructions.length) return Promise.resolve({ folder: '', workdir: '/', env: {}, cmd: [] });
    const key = dependsOnService(name, stages) ? `${name}-${service}` : name;
    const built = done.get(key) ?? buildStage(stage, join(folder, key), service);
    done.set(key, built);
    return built;
  };

  async function buildStage({ from, instructions }: Stage, target: string, service: string): Promise<Built> {
    const base = await find(from, service);
    await mkdir(target, { recursive: true });
    if (base.folder) await copy(`${base.folder}/.`, target);
    const built = { ...base, env: { ...base.env }, folder: target };
    for (const instruction of instructions) await apply(instruction, built, service);
    return built;
  }

  async function apply(instruction: Instruction, built: Built, service: string): Promise<void> {
    const values = instruction.getExpandedArguments().map((argument) => argument.getValue());
    const inside = (path: string): string => resolve(join(built.folder, resolve(built.workdir, path)));
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        built.workdir = resolve(built.workdir, String(values[0]));
        await mkdir(inside('.'), { recursive: true });
        break;
      case 'COPY': {
        const source = (instruction as Copy).getFromFlag()?.getValue();
        const from = source ? (await find(source, service)).folder : context;
        // A base image has no files here.
        if (from) await copyInto(values.map(String), from, inside);
        break;
      }
      case 'RUN':
        commands.push(String(instruction.getArgumentsContent()));
        await runIn(built, String(instruction.getRawArgumentsContent()), service);
        break;
      case 'ENV':
        for (const value of values) {
          const [name = '', ...rest] = value.split('=');
          built.env[name] = rest.join('=');
        }
        break;
      case 'CMD':
        built.cmd = JSON.parse(String(instruction.getArgumentsContent())) as string[];
        break;
      case 'ARG':
      case 'LABEL':
      case 'USER':
        break;
      default:
        throw new Error(`the builder does not know ${instruction.getKeyword()}`);
    }
  }

  return {
    commands,
    build: async (service) => {
      const { folder: image, workdir, env, cmd } = await find(String([...stages.keys()].at(-1)), service);
      const [program, ...args] = cmd;
      if (program !== 'node') throw new Error(`the image starts ${program}`);
      return { folder: image, workdir: join(image, workdir), env, args };
    },
  };
}

/** Copies the files that `.dockerignore` lets in, without what git ignores. Returns the folder. */
async function contextOf(folder: string): Promise<string> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer,
  });
  const rules = await readFile(join(root, '.dockerignore'), 'utf8');
  const files = dockerignore.default().add(rules).filter(stdout.split('\0').filter(Boolean));
  await mkdir(folder);
  const list = `${folder}.list`;
  await writeFile(list, files.join('\n'));
  await run('sh', ['-c', 'tar -cf - -T "$0" | tar -xf - -C "$1"', list, folder], { cwd: root });
  return folder;
}

/** Returns the stages of a Dockerfile by their names. The last one may have none. */
function stagesOf(text: string): Map<string, Stage> {
  const stages = new Map<string, Stage>();
  let current: Stage | undefined;
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const from = instruction as From;
      current = { from: String(from.getImage()), instructions: [] };
      stages.set(from.getBuildStage() ?? 'image', current);
    } else current?.instructions.push(instruction);
  }
  return stages;
}

function dependsOnService(name: string, stages: Map<string, Stage>): boolean {
  const stage = stages.get(name);
  if (!stage) return false;
  return (
    stage.instructions.some((one) => one.getKeyword() === 'ARG' && one.getArgumentsContent() === 'SERVICE') ||
    dependsOnService(stage.from, stages)
  );
}

async function copyInto(paths: string[], from: string, inside: (path: string) => string): Promise<void> {
  const target = String(paths.at(-1));
  for (const path of paths.slice(0, -1)) {
    const source = join(from, path);
    // As Docker does: a folder's content, or a file under its own name if the target is a folder.
    const isFile = (await run('test', ['-f', source]).catch(() => undefined)) !== undefined;
    const isInto = isFile && /\/$|^\.$/.test(target);
    const to = isInto ? join(inside(target), basename(path)) : inside(target);
    await mkdir(isFile ? dirname(to) : to, { recursive: true });
    await copy(isFile ? source : `${source}/.`, to);
  }
}

/** As links: the steps add and remove files, and change none. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-RPplf', from, to]);
}

/** Runs a command in a stage. A global install becomes a program that runs the package. */
async function runIn({ folder, workdir }: Built, command: string, service: string): Promise<void> {
  const programs = join(folder, 'usr/local/bin');
  const installed = /^npm install --global .*?((\w+)@\S+)$/.exec(command);
  if (installed) {
    const program = join(programs, String(installed[2]));
    await mkdir(programs, { recursive: true });
    // The path, because starting npx takes longer than most calls of the program.
    const found = `command -v ${installed[2]}`;
    const { stdout } = await run('npx', ['--yes', '--package', String(installed[1]), '--call', found]);
    await symlink(stdout.trim(), program);
    return;
  }
  const PATH = [programs, dirname(process.execPath), process.env['PATH']].join(':');
  // With the registry and the proxies of this machine, but not what a test run sets for its own Node.
  const { NODE_OPTIONS: _, NODE_ENV: __, ...inherited } = process.env;
  const env = { ...inherited, PATH, CI: 'true', SERVICE: service };
  await run('sh', ['-c', command], { cwd: join(folder, workdir), env, maxBuffer }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${command}\n${error.stdout}${error.stderr}`, { cause: error });
    },
  );
}
