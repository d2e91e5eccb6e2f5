import { z } from 'zod';

export const count = z.int().min(0);

export const positive = z.int().min(1);

/** A 32-bit integer. */
export const largestVersion: number = 2 ** 31 - 1;
