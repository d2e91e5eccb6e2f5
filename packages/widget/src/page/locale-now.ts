/** Returns the language of the page: its named one, else its own, else the browser's. It may change at any time. */
export function localeNow({ locale }: { locale?: string | undefined }): string {
  return locale || document.documentElement.lang || navigator.language;
}
