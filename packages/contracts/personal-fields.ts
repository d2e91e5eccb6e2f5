import {
  create,
  createFileRegistry,
  type DescField,
  getExtension,
  hasExtension,
  ScalarType,
} from '@bufbuild/protobuf';
import {
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/**
 * Returns the source of `personal-fields.ts`: the fields of messages that are `personal` in proto/. Throws for a
 * message with such a field that does not say it of another text.
 */
export function personalFieldsSource(files: FileDescriptorProto[]): string {
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  const option = registry.getExtension('parley.common.v1.personal');
  if (!option) throw new Error('proto/ has no option for personal fields');
  const stated = (field: DescField): boolean | undefined => {
    const options = field.proto.options ?? create(FieldOptionsSchema);
    return hasExtension(options, option) ? (getExtension(options, option) as boolean) : undefined;
  };
  const imports: string[] = [];
  const entries: string[] = [];
  for (const message of registry) {
    if (message.kind !== 'message') continue;
    const personal = message.fields.filter(stated).map((field) => `'${field.localName}'`);
    if (personal.length === 0) continue;
    const silent = message.fields.find((field) => isText(field) && stated(field) === undefined);
    if (silent) throw new Error(`${message.typeName} does not say whether ${silent.name} is personal`);
    imports.push(`import type { ${message.name} } from './${message.file.name}.ts';\n`);
    entries.push(`  '${message.typeName}': { message: ${message.name}; fields: ${personal.join(' | ')} };\n`);
  }
  return `
${imports.join('')}
/** The messages with personal fields, and these fields (\`personal\` in proto/). */
export interface PersonalFields {
${entries.join('')}}
`;
}

function isText({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === 'map' || scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
}
