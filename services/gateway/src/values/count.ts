import { z } from 'zod';

/** A whole number from 0. */
export const count = z.int().min(0);

/** A whole number from 1. */
export const positive = z.int().min(1);

/** The largest number of a version: a 32-bit integer. */
export const largestVersion: number = 2 ** 31 - 1;
