import { expect, test } from 'vitest';
import { prose } from './markdown.ts';

test('comments are left out, and tags are shown as text', () => {
  const text =
    '<!-- Generated. -->\n\n- one\n\n<!-- End. -->\n\n<!-- a --><script>alert(1)</script><!-- b -->';
  expect(prose(text)).not.toMatch(/Generated|End|<script/);
  expect(prose(text)).toContain('&lt;script&gt;alert(1)');
});
