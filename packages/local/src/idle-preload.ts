// Preloaded into the services of a local run.
import { giveBackMemory } from './give-back-memory.ts';

giveBackMemory();
