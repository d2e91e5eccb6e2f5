import type { Member } from '@parley/contracts/identity/v1/identity';
import { roleNames } from '@parley/contracts/roles';
import { z } from 'zod';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

export const role = z.enum(roleNames).meta({ id: 'Role' });

export const personalData = z.boolean().meta({ description: 'Whether the member may see personal data' });

export const member = z
  .strictObject({
    memberId: id,
    personId: id.nullable().meta({
      description: 'By which `createdBy` and others name the person; null until the invitation is accepted',
    }),
    email: z
      .string()
      .nullable()
      .meta({ examples: ['ada@shop.example'] }),
    isEmailVerified: z.boolean().meta({
      description:
        'Whether the sign-in provider has verified the address, or the person came by the link of an invitation to it',
      examples: [true],
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Null: the invitation is not accepted', examples: ['Ada'] }),
    role,
    personalData,
    status: z.enum(['active', 'invited']),
    origin: z.enum(['link', 'invitation', 'group']).meta({
      description: 'A link of the operator, an invitation, or a group of the sign-in provider',
      examples: ['invitation'],
    }),
    createdAt: timestamp,
    lastSeenAt: timestamp.nullable().meta({
      description: 'The hour of the last call; null if there was none',
      examples: ['2026-11-21T09:00:00.000000'],
    }),
    groupsMissingSince: timestamp.nullable().meta({
      description:
        'Since when the sign-in provider has not named the groups of the person: roles by groups stay. Null: it has',
      examples: [null],
    }),
  })
  .meta({ id: 'Member' });

export function toMember(row: Member): z.input<typeof member> {
  return {
    memberId: row.id,
    personId: row.personId ?? null,
    email: row.email ?? null,
    isEmailVerified: row.isEmailVerified,
    name: row.name ?? null,
    role: role.parse(row.role),
    personalData: row.personalData,
    status: row.personId ? 'active' : 'invited',
    origin: member.shape.origin.parse(row.origin),
    createdAt: toTimestamp(row.createdAt),
    lastSeenAt: toTimestampOrNull(row.lastSeenAt),
    groupsMissingSince: toTimestampOrNull(row.groupsMissingSince),
  };
}
