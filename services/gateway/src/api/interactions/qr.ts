import { z } from 'zod';

// What all routes that return a QR code share.

export const qrQuery = z.object({
  format: z.enum(['svg', 'png']).default('svg').meta({ description: 'SVG can be printed in any size' }),
});

export const qrFiles = {
  'image/svg+xml': '<svg viewBox="0 0 49 49" xmlns="http://www.w3.org/2000/svg">...</svg>\n',
  'image/png': '...',
} as const;

export const qrDescription = `The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter of
the code may be worn off or covered. Print it at least 2 cm wide.`;
