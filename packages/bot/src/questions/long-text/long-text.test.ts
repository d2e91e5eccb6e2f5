import { accepts, refuses } from '../../../tests/answers.ts';

accepts([[{ type: 'longText' }, ' two\r\nlines\u0007 ', 'two\nlines']]);

refuses([[{ type: 'longText' }, '\u3164\n\u00ad\u2060', 'empty']]);
