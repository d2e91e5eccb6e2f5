export const portal = {
  over: 'This link is not valid any more',
  overHow: 'Ask the people who sent it to you for a new one.',
  overWhy: 'A link opens this page once, in one browser, and for a limited time. It can also be withdrawn.',
};
