import { accepts, explains, reads, refuses, takes } from '../../../tests/answers.ts';

reads([
  [{ type: 'time' }, '9:30', '09:30'],
  [{ type: 'time' }, '٩:٣٠', '09:30'],
  [{ type: 'time' }, '12:05 am', '00:05'],
  [{ type: 'time' }, '9.30 PM', '21:30'],
  [{ type: 'time' }, '13:00 pm', undefined],
]);

accepts([[{ type: 'time', min: '08:00' }, '08:00', '08:00']]);

refuses([
  [{ type: 'time' }, '24:00', 'not-a-time'],
  [{ type: 'time', max: '17:00' }, '17:01', 'too-late'],
]);

takes([
  [{ type: 'time' }, '１９：３０', '19:30'],
  [{ type: 'time' }, '7∶30\u202fp.m.', '19:30'],
]);

explains([[{ type: 'time' }, '１９', '14:30']]);
