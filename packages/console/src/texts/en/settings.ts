export const settings = {
  accentColor: 'Colour of buttons',
  asCustomers: 'As customers see it',
  branding: 'Branding',
  brandingAbout:
    'Link pages show a change at once, widgets from their next session on. Text on the colour is black or white, whichever is readable.',
  chooseColour: 'Choose a colour',
  days: {
    completedDays: 'Days after which completed ones are deleted',
    endedDays: 'Days after which expired ones are deleted',
    draftDays: 'Days after which drafts and pending ones are deleted',
  },
  displayName: 'Name that customers see',
  domains: 'Pages that may show Parley',
  domainsAbout:
    'Only pages of these domains can have the widget, and show the portal in a frame. A change is in force within ten seconds.',
  domainsField: 'Domains, one in each line; https://*.shop.example is every host below shop.example',
  endLabel: 'Words of the link after the end',
  endText: 'Text after the end',
  endUrl: 'Address of the link after the end',
  forEver: 'kept',
  logo: (kib: number) => `Logo: PNG, JPEG or WebP, at most ${kib} KiB`,
  logoTooLarge: (kib: number) => `The file has more than ${kib} KiB.`,
  privacyText: 'Line about privacy before the start',
  removeLogo: 'Remove the logo',
  contactPolicy: 'How often customers are asked',
  contactPolicyAbout:
    'Interactions beyond a limit are refused, in single and bulk creation and from files. Tests do not count.',
  contactLimits: { anyBot: 'Of all bots together', sameBot: 'Of each bot' },
  contactParts: { count: 'Interactions', days: 'In days' },
  noLimit: 'No limit',
  retention: 'How long interactions are kept',
  retentionAbout:
    'Days count from the last change of an interaction. An empty field keeps them for ever. Before anything changes, you see how many would be deleted.',
  retentionTitle: 'Change how long interactions are kept?',
  sampleName: 'Short survey',
  sampleQuestion: 'How did you like your visit?',
  saved: 'The settings are saved',
  title: 'Settings',
  unchanged: 'Nothing has changed.',
  wouldDelete: (count: number) =>
    count === 0
      ? 'Nothing is deleted now. Interactions whose time is over later are deleted then.'
      : `${count === 1 ? '1 interaction is' : `${count} interactions are`} deleted soon, and more when their time is over. This is final.`,
};
