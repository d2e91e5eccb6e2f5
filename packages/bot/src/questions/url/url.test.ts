import { accepts, explains, refuses, takes } from '../../../tests/answers.ts';
import type { InputRule } from '../types.ts';

accepts([
  [{ type: 'url' }, 'Example.com/a b'.replace(' ', '%20'), 'https://example.com/a%20b'],
  [{ type: 'url' }, 'http://example.com', 'http://example.com/'],
  [{ type: 'url' }, 'www.example.com.', 'https://www.example.com./'],
]);

refuses([
  [{ type: 'url' }, 'javascript:alert(1)', 'not-a-url'],
  [{ type: 'url' }, 'ftp://example.com', 'not-a-url'],
  [{ type: 'url' }, 'https://.com', 'not-a-url'],
  [{ type: 'url' }, 'example..com', 'not-a-url'],
  [{ type: 'url' }, 'localhost.', 'not-a-url'],
  [{ type: 'url' }, 'https://mia:secret@example.com', 'not-a-url'],
  [{ type: 'url' }, 'not a url', 'not-a-url'],
  [{ type: 'url' }, null, 'not-a-url'],
]);

takes([
  [{ type: 'url' }, 'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ａ？ｂ＝１', 'https://example.com/a?b=1'],
  [{ type: 'url' }, 'example。com', 'https://example.com/'],
  [{ type: 'url' }, '\u200bexample.com/a\u200b', 'https://example.com/a'],
  [{ type: 'url' }, 'https://スーパー.jp/', 'https://xn--zck5b0gb.jp/'],
  [{ type: 'url' }, 'https://example.com/a–b', 'https://example.com/a%E2%80%93b'],
  ...['。', '｡', '．', '！', '؟', '।', '۔', '։', '።', '។', '។។', ' ။', '‼'].map(
    (end): [InputRule, string, unknown] => [{ type: 'url' }, `example.com/a${end}`, 'https://example.com/a'],
  ),
  [{ type: 'url' }, 'https://example.com/。/Inc.', 'https://example.com/%E3%80%82/Inc.'],
]);

explains([[{ type: 'url' }, 'ｅｘａｍｐｌｅ', 'https://example.com']]);
