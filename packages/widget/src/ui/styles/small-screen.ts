/** A window without room for a panel beside the page, as a media query. */
export const smallScreen = '(max-width: 520px), (max-height: 480px)';
