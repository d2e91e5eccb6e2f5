import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';

const eventsPackage = 'parley.events.v1';

/** The field numbers of messages in a file, and of a message's name: what a path in the source info begins with. */
const messagesOfFile = 4;

/**
 * Returns the source of `event-types.ts`: a type of event for each message of the package that belongs to no service.
 * Its name gives the subject and what the event is about: `InteractionStalled` is `parley.interaction.stalled.v1`, and
 * about its `interaction_id`. `InteractionReminderDue` is `parley.interaction.reminder-due.v1`. Throws for a message
 * without comment or this field.
 */
export function eventTypesSource(files: FileDescriptorProto[]): string {
  const imports: string[] = [];
  const types: string[] = [];
  const names: string[] = [];
  for (const file of files) {
    if (file.package !== eventsPackage || file.service.length > 0) continue;
    imports.push(
      `import { ${file.messageType.map(({ name }) => name).join(', ')} } from './${file.name.replace('.proto', '.ts')}';\n`,
    );
    for (const [index, { name, field }] of file.messageType.entries()) {
      const [, noun = '', participle = ''] = /^([A-Z][a-z]+)((?:[A-Z][a-z]+)+)$/.exec(name) ?? [];
      const id = `${noun.toLowerCase()}Id`;
      if (!field.some(({ jsonName }) => jsonName === id))
        throw new Error(`${name} does not say what it is about: ${id}`);
      const comment = file.sourceCodeInfo?.location.find(
        ({ path }) => path.join() === `${messagesOfFile},${index}`,
      );
      if (!comment?.leadingComments) throw new Error(`${name} does not say when it is raised`);
      const constant = `${name[0]?.toLowerCase()}${name.slice(1)}`;
      names.push(`  ${constant},\n`);
      types.push(`
/**
${comment.leadingComments.trimEnd().replaceAll(/^/gm, ' *')}
 */
export const ${constant} = {
  subject: 'parley.${noun.toLowerCase()}.${participle.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase()}.v1',
  message: ${name},
  aboutOf: ({ ${id} }: ${name}): string => ${id},
};
`);
    }
  }
  return `
${imports.join('')}${types.join('')}
/** All of them. */
export const generatedTypes = [
${names.join('')}];
`;
}
