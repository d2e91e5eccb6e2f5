import { join, relative, resolve } from 'node:path';
import {
  type CallExpression,
  type Node,
  type PropertyAccessExpression,
  type PropertyAssignment,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';

const root = resolve(import.meta.dirname, '../..');
const generated = 'packages/contracts/src/gen/parley/';

/** The packages of the operator's tools, which call services as `cli`. */
const tools = new Set(['packages/cli', 'packages/local']);

/** Returns the paths of the methods that the sources of each caller call. */
export function readRpcCalls(): Map<string, Set<string>> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (!project) throw new Error('tsconfig.json is no project');
    return callsOf(project);
  } finally {
    api.close();
  }
}

function callsOf(project: Project): Map<string, Set<string>> {
  const calls = new Map<string, Set<string>>();
  /** Calls of libraries with clients that a caller gives them. */
  const ofLibraries = new Set<string>();
  const clients: { caller: string; definition: string }[] = [];
  for (const fileName of project.program.getSourceFileNames()) {
    const [, folder = ''] = /^((?:services|packages)\/[^/]+)\/src\//.exec(relative(root, fileName)) ?? [];
    if (!folder || folder === 'packages/testing' || /\.test\.ts$|\/src\/gen\//.test(fileName)) continue;
    const file = project.program.getSourceFile(fileName);
    if (!file) continue;
    const caller = tools.has(folder) ? 'cli' : folder.startsWith('services/') ? folder.slice(9) : undefined;
    const paths = caller === undefined ? ofLibraries : (calls.get(caller) ?? new Set());
    if (caller !== undefined) {
      calls.set(caller, paths);
      clients.push(...clientsIn(file).map((definition) => ({ caller, definition })));
    }
    for (const path of pathsIn(file, project)) paths.add(path);
  }
  for (const { caller, definition } of clients) {
    for (const path of ofLibraries) {
      if (path.includes(`.${definition}/`)) calls.get(caller)?.add(path);
    }
  }
  return calls;
}

/** The paths of the methods that are called in a file. */
function pathsIn(file: SourceFile, { checker }: Project): string[] {
  const names = nodesOf(file)
    .filter((node) => node.kind === SyntaxKind.PropertyAccessExpression)
    .map((node) => (node as PropertyAccessExpression).name);
  const symbols = names.length > 0 ? checker.getSymbolAtLocation(names) : [];
  const declarations = symbols.flatMap((symbol) => symbol?.declarations ?? []);
  const methods = declarations.filter(
    ({ path, kind }) => kind === SyntaxKind.PropertyAssignment && path.includes(generated),
  );
  return methods.flatMap((method) => pathOf(method.resolve() as PropertyAssignment | undefined) ?? []);
}

/** The services, such as `IdentityService`, that a file has clients of. Each peer is one of the `ProcessService`. */
function clientsIn(file: SourceFile): string[] {
  return nodesOf(file)
    .filter((node) => node.kind === SyntaxKind.CallExpression)
    .map((node) => (node as CallExpression).getText(file))
    .map((call) =>
      /\.replicaStates\(\w+\)$/.test(call) ? 'ProcessService' : /\.client\((\w+)Service\)$/.exec(call)?.[1],
    )
    .filter((definition) => definition !== undefined);
}

/** The path of a method in a generated definition. */
function pathOf(method: PropertyAssignment | undefined): string | undefined {
  return /^\w+: \{\s*path: "([^"]+)"/.exec(method?.getText() ?? '')?.[1];
}

function nodesOf(file: SourceFile): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return nodes;
}
