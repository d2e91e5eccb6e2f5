import { accepts, explains, reads, refuses, takes } from '../../../tests/answers.ts';

reads([
  [{ type: 'date' }, '2026-1-5', '2026-01-05'],
  [{ type: 'date' }, '٢٠٢٦-٠١-٠٥', '2026-01-05'],
  [{ type: 'date' }, 'tomorrow', undefined],
]);

accepts([
  [{ type: 'date' }, '2028-02-29', '2028-02-29'],
  [{ type: 'date', min: 'today', max: 'today' }, '2026-11-21', '2026-11-21'],
  [{ type: 'date', min: 'today+30' }, '2026-12-21', '2026-12-21'],
]);

refuses([
  [{ type: 'date' }, '2026-02-29', 'not-a-date'],
  [{ type: 'date' }, '2026-2-9', 'not-a-date'],
  [{ type: 'date', min: 'today' }, '2026-11-20', 'too-early'],
  [{ type: 'date', max: 'today-1' }, '2026-11-21', 'too-late'],
]);

takes([
  [{ type: 'date' }, '2030-05-01။', '2030-05-01'],
  [{ type: 'date' }, '２０３０／５／１', '2030-05-01'],
  [{ type: 'date' }, '2030‐05‐01。', '2030-05-01'],
  [{ type: 'date' }, '२०३०，५，१', '2030-05-01'],
  [{ type: 'date' }, '2030\u00a0. 5.1.', '2030-05-01'],
]);

explains([[{ type: 'date' }, '5．1．2030', '2030-12-31']]);
