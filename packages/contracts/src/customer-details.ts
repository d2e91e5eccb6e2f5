import { emailForm } from './forms/email.ts';
import type {
  CreateCustomerRequest,
  EnsuredCustomer,
  UpdateCustomerRequest,
} from './gen/parley/customer/v1/customer.ts';
import type { CustomerDetails } from './gen/parley/interaction/v1/interaction.ts';
import type { PersonalFields } from './gen/personal-fields.ts';
import { customerLimits } from './limits.ts';

/** The name of a detail: a personal field of a customer, as proto/ declares it. */
export type DetailName = PersonalFields['parley.customer.v1.Customer']['fields'];

/** The details that every message has which carries them. */
type CarriedDetail = DetailName &
  keyof CreateCustomerRequest &
  keyof UpdateCustomerRequest &
  keyof EnsuredCustomer &
  keyof CustomerDetails;

/** The forms of details that are no free text. Each has the name of the input mode of its field. */
const forms = {
  email: {
    pattern: emailForm,
    fault: 'Must be an email address',
    description: 'An email address, or empty',
  },
} as const satisfies Record<string, { pattern: RegExp; fault: string; description: string }>;

export type DetailForm = keyof typeof forms;

interface Detail {
  /** In sentences. */
  label: string;
  /** In code points. */
  charactersMax: number;
  /** The form of a text that is not empty. Not set: any text. */
  form?: DetailForm;
  /** Whether searches look into it. Its column needs an index then. */
  isSearched: boolean;
  example: string;
}

/**
 * The details of a customer: its personal columns, which are texts; empty means no detail. Whatever stores, checks,
 * shows, hides, searches or removes details derives from this. The parts of a name are neighbours: removals also look
 * for neighbours that are written together.
 */
export const customerDetails = {
  firstName: {
    label: 'first name',
    charactersMax: customerLimits.nameCharactersMax,
    isSearched: true,
    example: 'Ada',
  },
  lastName: {
    label: 'last name',
    charactersMax: customerLimits.nameCharactersMax,
    isSearched: true,
    example: 'Lovelace',
  },
  email: {
    label: 'e-mail address',
    charactersMax: customerLimits.emailCharactersMax,
    form: 'email',
    isSearched: true,
    example: 'ada@example.com',
  },
} as const satisfies Record<DetailName, Detail>;

export const detailNames = Object.keys(
  customerDetails,
) as readonly DetailName[] satisfies readonly CarriedDetail[];

export const searchedDetails = detailNames.filter((name) => detailOf(name).isSearched);

export const nameParts = ['firstName', 'lastName'] as const satisfies readonly DetailName[];

export const otherDetails = detailNames.filter((name) => !nameParts.some((part) => part === name));

export type Details = Record<DetailName, string>;

export function perDetail<Value>(valueOf: (name: DetailName) => Value): Record<DetailName, Value> {
  return Object.fromEntries(detailNames.map((name) => [name, valueOf(name)])) as Record<DetailName, Value>;
}

export const noDetails: Details = perDetail(() => '');

export function detailOf(name: DetailName): Detail {
  return customerDetails[name];
}

/** Returns the form of a detail. Undefined: any text. */
export function detailForm(name: DetailName): (typeof forms)[DetailForm] | undefined {
  const { form } = detailOf(name);
  return form && forms[form];
}

/** The characters of the longest detail, in code points. */
export const detailCharactersMax = Math.max(...detailNames.map((name) => detailOf(name).charactersMax));

/** What searches look into, in words: `id, first name, last name or e-mail address`. */
export const searchedWords = orList(['id', ...searchedDetails.map((name) => detailOf(name).label)]);

/** Returns several words as a list in a sentence: `a, b or c`. */
export function orList(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
