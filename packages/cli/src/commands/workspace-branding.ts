import {
  type Branding,
  IdentityServiceService,
  type UpdateBrandingRequest,
} from '@parley/contracts/identity/v1/identity';
import { brandingLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { Failure, usageFailure } from '../failure.ts';
import { pairs, print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall } from '../target.ts';
import { readBytes } from '../files/text-file.ts';

const { logoBytesMax, logoSideMax } = brandingLimits;

interface BrandingOptions {
  displayName?: string | false;
  logo?: string | false;
  accentColor?: string | false;
  endText?: string | false;
  privacyText?: string | false;
  endLink?: string | false;
  endLinkLabel?: string;
}

const examples = `
Examples:
  parley workspace branding 01939f6a-2f40-7c3a-9d55-0123456789ab
  parley workspace branding 01939f6a-2f40-7c3a-9d55-0123456789ab --display-name 'Fog & Leaf' \\
    --logo leaf.png --accent-color '#1f5c4a' --end-link https://shop.example \\
    --end-link-label 'Back to the shop'

Landing pages show a change at once, widgets in their next session.`;

export function addBranding(workspace: Command, shell: Shell): void {
  workspace
    .command('branding')
    .description('show or change the branding of landing pages and the widget')
    .argument('<id>', 'the workspace')
    .option('--display-name <name>', 'the name that customers see beside the name of the bot')
    .option('--no-display-name', 'clear it')
    .option(
      '--logo <file>',
      `a PNG, JPEG or WebP image of at most ${logoBytesMax / 1024} KiB and ${logoSideMax} pixels a side`,
    )
    .option('--no-logo', 'clear it')
    .option('--accent-color <color>', 'the colour of buttons, #rrggbb or #rgb')
    .option('--no-accent-color', 'use the default')
    .option('--end-text <text>', 'the text after the end of a conversation')
    .option('--no-end-text', 'clear it')
    .option('--privacy-text <text>', 'a line about privacy before the start of a conversation')
    .option('--no-privacy-text', 'clear it')
    .option('--end-link <url>', 'an https URL below that text')
    .option('--end-link-label <text>', 'the text of the link; default: its host')
    .option('--no-end-link', 'clear it')
    .addHelpText('after', examples)
    .action(async (id: string, own: BrandingOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const change = Object.keys(own).length > 0 ? await readChange(own, shell) : undefined;
      const branding = await ask(await findTarget(options, shell), 'identity', `workspace ${id}`, (peer) => {
        const identity = peer.client(IdentityServiceService);
        return change
          ? identity.updateBranding({ workspaceId: id, ...change }, newCall())
          : identity.getBranding({ workspaceId: id }, newCall());
      });
      print(shell, options.json, shown(branding), described(branding));
    });
}

/** Returns the changes of the options. An empty value clears a field. */
async function readChange(
  options: BrandingOptions,
  shell: Shell,
): Promise<Omit<UpdateBrandingRequest, 'workspaceId'>> {
  const { displayName, logo, accentColor, endText, privacyText } = options;
  return {
    displayName: textOf('--display-name', displayName),
    logo: logo === undefined ? undefined : await readLogo(logo, shell),
    accentColor: textOf('--accent-color', accentColor)?.replace(
      /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i,
      '#$1$1$2$2$3$3',
    ),
    endText: textOf('--end-text', endText),
    privacyText: textOf('--privacy-text', privacyText),
    endLink: linkOf(options),
  };
}

async function readLogo(file: string | false, shell: Shell): Promise<Buffer> {
  if (file === false) return Buffer.alloc(0);
  const bytes = await readBytes(file, shell);
  if (bytes.length > 0 && bytes.length <= logoBytesMax) return bytes;
  const message = `${file} has ${bytes.length} bytes; a logo has 1 to ${logoBytesMax}`;
  throw new Failure(message, { type: 'unusable-logo' });
}

/** Rejects an empty option, because the service would clear the field. */
function textOf(option: string, given: string | false | undefined): string | undefined {
  if (given === '') throw usageFailure(`${option} is empty; --no-${option.slice(2)} clears it`);
  return given === false ? '' : given;
}

function linkOf({ endLink, endLinkLabel }: BrandingOptions): UpdateBrandingRequest['endLink'] {
  if (endLink === false) return { endLink: null };
  if (endLink === undefined) {
    if (endLinkLabel !== undefined) throw usageFailure('--end-link-label needs --end-link URL as well');
    return null;
  }
  // The service rejects a URL without a host. A valid label makes this the only fault.
  const host = URL.canParse(endLink) && new URL(endLink).host;
  const label = endLinkLabel ?? (host || 'link');
  return { endLink: { url: endLink, label } };
}

function shown(branding: Branding): unknown {
  const { displayName, logoName, accentColor, endText, endLink, privacyText } = branding;
  return {
    displayName: displayName ?? null,
    logoName: logoName ?? null,
    accentColor: accentColor ?? null,
    endText: endText ?? null,
    endLink,
    privacyText: privacyText ?? null,
  };
}

function described(branding: Branding): string {
  const { displayName, logoName, accentColor, endText, endLink, privacyText } = branding;
  return pairs({
    displayName: displayName ?? '-',
    logo: logoName ?? '-',
    accentColor: accentColor ?? '-',
    endText: endText?.replaceAll(/[\s\p{Cc}]+/gu, ' ') ?? '-',
    endLink: endLink ? `${endLink.label} (${endLink.url})` : '-',
    privacyText: privacyText ?? '-',
  });
}
