import { emailForm } from '@parley/contracts/email';
import { customerLimits, isLonger } from '@parley/contracts/limits';

export interface Account {
  issuer: string;
  subject: string;
  name: string;
  /** As the provider says it. */
  email: string | null;
  /** The address, if the provider says that it belongs to the person. No other address identifies a person. */
  verifiedEmail: string | null;
  /** Undefined: the provider has not said which groups they are. */
  groups: readonly string[] | undefined;
}

/** The claims of one source: of the ID token, or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Where the claims of a person are. Whose groups do not matter has no groups claim. */
interface Sources {
  idToken: Claims;
  userInfo: Claims;
  groupsClaim: string | undefined;
}

/** Ids of subjects are ASCII, and at most so long (OpenID Connect Core 1.0, section 2). An index has each. */
const subjectCharactersMax = 255;
const nameCharactersMax = 100;

/** Returns whether the ID token leaves open who the person is, or which groups it has: the userinfo may say it. */
export function isIncomplete(idToken: Claims, groupsClaim: string | undefined): boolean {
  return !hasEmail(idToken) || (groupsClaim !== undefined && !namesGroups(idToken, groupsClaim));
}

/**
 * Returns the account. Each of two things has one source, the ID token if it has them, so that what one source says is
 * never completed by the other: the name and address with its verification, and the groups. Throws for a subject that
 * is none, and for texts that no database stores.
 */
export function accountOf(issuer: string, sources: Sources): Account {
  const { idToken, userInfo, groupsClaim } = sources;
  const subject = textOf(idToken, 'sub');
  if (subject === '' || isLonger(subject, subjectCharactersMax)) throw new Error('the subject is not valid');
  const both = [idToken, userInfo];
  const own = both.find(hasEmail) ?? both.find(hasName) ?? idToken;
  const given = textOf(own, 'email');
  const email = isAddress(given) ? given : null;
  const name = nameOf(own) || email || subject;
  return {
    issuer,
    subject,
    name: Array.from(name).slice(0, nameCharactersMax).join(''),
    email,
    verifiedEmail: own['email_verified'] === true ? email : null,
    groups: groupsClaim === undefined ? [] : groupsOf(both, groupsClaim),
  };
}

function hasEmail({ email }: Claims): boolean {
  return email !== undefined && email !== null;
}

function hasName(claims: Claims): boolean {
  return nameOf(claims) !== '';
}

function nameOf(claims: Claims): string {
  const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return oneLine(textOf(claims, 'name')) || oneLine(textOf(claims, 'preferred_username'));
}

function isAddress(text: string): boolean {
  return emailForm.test(text) && !isLonger(text, customerLimits.emailCharactersMax);
}

/** Returns whether the claims have the groups, or say that they are elsewhere (`_claim_names`, section 5.6.2). */
function namesGroups(claims: Claims, groupsClaim: string): boolean {
  return claims[groupsClaim] != null || isElsewhere(claims, groupsClaim);
}

function isElsewhere({ _claim_names: names }: Claims, groupsClaim: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, groupsClaim);
}

/** A text is one group. A list with anything but texts does not say which groups they are. */
function groupsOf(sources: readonly Claims[], groupsClaim: string): string[] | undefined {
  const source = sources.find((claims) => namesGroups(claims, groupsClaim));
  if (!source || isElsewhere(source, groupsClaim)) return undefined;
  const groups = [source[groupsClaim]].flat();
  if (!groups.every((group) => typeof group === 'string')) return undefined;
  for (const group of groups) requireStorable(group, groupsClaim);
  return groups;
}

function textOf(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== 'string') return '';
  requireStorable(value, name);
  return value;
}

/** PostgreSQL stores no NUL, and UTF-8 has no lone surrogates. */
function requireStorable(text: string, name: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Error(`the claim ${name} has a NUL or a lone surrogate`);
  }
}
