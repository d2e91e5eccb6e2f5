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

/**
 * Returns the paths of the methods that the sources of each caller call, and the methods that the gateway's routes for
 * the portal call.
 */
export function readRpcCalls(): { byCaller: Map<string, Set<string>>; byPortal: Set<string> } {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (!project) throw new Error('tsconfig.json is no project');
    return { byCaller: callsOf(project), byPortal: callsOfPortal(project) };
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

function callsOfPortal(project: Project): Set<string> {
  const names = project.program.getSourceFileNames();
  const files = names.filter((name) => relative(root, name).startsWith('services/gateway/src/api/'));
  const sources = files.flatMap((name) => project.program.getSourceFile(name) ?? []);
  const routes = sources.flatMap((file) =>
    nodesOf(file).filter(
      (node) =>
        node.kind === SyntaxKind.CallExpression &&
        /^route\(\{[^]*\n {2}portal: /.test((node as CallExpression).getText(file)),
    ),
  );
  return new Set(routes.flatMap((route) => pathsIn(route, project)));
}

/** The paths of the methods that are called in a file or a part of one. */
function pathsIn(part: Node, { checker }: Project): string[] {
  const names = nodesOf(part)
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

function nodesOf(part: Node): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(part);
  return nodes;
}
