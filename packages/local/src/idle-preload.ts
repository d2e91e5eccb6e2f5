// Preloaded into the services of a local run.
import { saveMemory } from './idle.ts';

saveMemory();
