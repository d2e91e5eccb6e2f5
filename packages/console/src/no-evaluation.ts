import { config } from 'zod';

// The policy of the page forbids code that is made of text. Schemas look for that when they are created.
config({ jitless: true });
