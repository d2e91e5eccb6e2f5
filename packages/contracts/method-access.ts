import { create, createFileRegistry, type DescMethod, getExtension } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { serviceNames } from './src/services.ts';

/** The names that the option `callers` may have. */
const callerNames: string[] = [...serviceNames, 'consumer', 'bodyreader', 'cli'];
const grants = ['key', 'session', 'none', 'portal'];

/**
 * Returns the source of `method-access.ts`: who may call each method of Parley (proto/parley/common/v1/access.proto).
 * Throws for a method without callers or with an unknown one, and for a grant that does not fit the request.
 */
export function methodAccessSource(files: FileDescriptorProto[]): string {
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  const callersOption = registry.getExtension('parley.common.v1.callers');
  const grantOption = registry.getExtension('parley.common.v1.grant');
  if (!callersOption || !grantOption) throw new Error('proto/ has no options for callers and grants');
  const entries: string[] = [];
  for (const service of registry) {
    if (service.kind !== 'service' || !service.typeName.startsWith('parley.')) continue;
    for (const method of service.methods) {
      const path = `/${service.typeName}/${method.name}`;
      const options = method.proto.options ?? create(MethodOptionsSchema);
      const callers = getExtension(options, callersOption) as string[];
      const unknown = callers.filter((name) => !callerNames.includes(name));
      if (callers.length === 0) throw new Error(`${path} has no callers`);
      if (unknown.length > 0) throw new Error(`${path} has the unknown callers ${unknown.join()}`);
      const grant = grants[getExtension(options, grantOption) as number] ?? '';
      if (callers.includes('gateway')) checkGrant(path, method, grant);
      const names = callers.map((name) => `'${name}'`).join(', ');
      entries.push(`  ['${path}', { callers: [${names}], grant: '${grant}' }],\n`);
    }
  }
  return `
/** Who may call a method, and the grant that a call of the gateway needs (\`RequiredGrant\` in proto/). */
export interface MethodAccess {
  callers: readonly CallerName[];
  grant: ${grants.map((grant) => `'${grant}'`).join(' | ')};
}

/** The name of a caller: a service, one of another team's consumers, or \`cli\` for the command line. */
export type CallerName = (typeof callerNames)[number];

export const callerNames = [${callerNames.map((name) => `'${name}'`).join(', ')}] as const;

/** The access to each method of Parley, by its path (proto/parley/common/v1/access.proto). */
export const methodAccess: ReadonlyMap<string, MethodAccess> = new Map<string, MethodAccess>([
${entries.join('')}]);
`;
}

/** Throws if the request does not name what a grant is for. */
function checkGrant(path: string, { input }: DescMethod, grant: string): void {
  const names = input.fields.map(({ name }) => name);
  const hasWorkspace = names.includes('workspace_id') || names.includes('workspace_ids');
  const hasSubject = names.includes('session') || (hasWorkspace && names.includes('customer_id'));
  const isCheckable = grant === 'none' || (grant === 'session' ? hasSubject : hasWorkspace);
  if (!isCheckable) throw new Error(`the request of ${path} does not say what its grant must be for`);
}
