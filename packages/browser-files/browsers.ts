/** The oldest supported browsers, as esbuild names them: the first with `AbortSignal.any`, in early 2024 or before. */
export const oldestBrowsers = { chrome: '116', edge: '116', firefox: '124', safari: '17.4' } as const;
