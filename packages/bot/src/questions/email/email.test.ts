import { accepts, explains, reads, refuses, takes } from '../../../tests/answers.ts';

reads([[{ type: 'email' }, 'a@b.co', 'a@b.co']]);

accepts([[{ type: 'email' }, ' Mia.B+x@Example.COM ', 'Mia.B+x@example.com']]);

refuses([
  [{ type: 'email' }, 'mia@example', 'not-an-email'],
  [{ type: 'email' }, 'mia@@example.com', 'not-an-email'],
  [{ type: 'email' }, '.mia@example.com', 'not-an-email'],
  [{ type: 'email' }, 'mia@-example.com', 'not-an-email'],
]);

takes([
  [{ type: 'email' }, 'ａbc@example.com', 'abc@example.com'],
  [{ type: 'email' }, 'a＠example.com', 'a@example.com'],
  [{ type: 'email' }, 'a\u200bbc@exam\u00adple.com\ufeff', 'abc@example.com'],
  [{ type: 'email' }, '\u2068a@example\u3002com\u2069', 'a@example.com'],
  [{ type: 'email' }, '\u00a0a@example.com\u3000', 'a@example.com'],
  [{ type: 'email' }, 'a@example.com。', 'a@example.com'],
  [{ type: 'email' }, 'a@example.com.', 'a@example.com'],
  [{ type: 'email' }, 'o’brien‑smith٢@example.com', "o'brien-smith2@example.com"],
  [{ type: 'email' }, 'müller@スーパー.jp', 'müller@スーパー.jp'],
  [{ type: 'email' }, 'a@example.com।', 'a@example.com'],
]);

explains([[{ type: 'email' }, 'a＠b', 'name@example.com']]);
