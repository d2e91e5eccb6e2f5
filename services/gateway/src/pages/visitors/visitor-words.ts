import type { Request } from 'express';

/** What pages say to visitors without an account, before a conversation shows itself. */
export interface VisitorWords {
  ready: string;
  start: string;
  /** Before the chosen answer. */
  send: string;
  closed: string;
  expired: string;
  full: string;
  unknown: string;
  tooMany: string;
  again: string;
  /** Marks what is only a test. */
  test: string;
}

const words = {
  en: {
    ready: 'We would like to hear from you.',
    start: 'Start',
    send: 'Send',
    closed: 'This link is closed.',
    expired: 'This link has expired.',
    full: 'This link takes no more answers.',
    unknown: 'This link does not lead to a conversation.',
    tooMany: 'Too many conversations begin here just now. Please try again in a minute.',
    again: 'Please open this link again in a moment.',
    test: 'Test',
  },
  de: {
    ready: 'Wir möchten gern von Ihnen hören.',
    start: 'Starten',
    send: 'Absenden',
    closed: 'Dieser Link ist geschlossen.',
    expired: 'Dieser Link ist abgelaufen.',
    full: 'Dieser Link nimmt keine Antworten mehr an.',
    unknown: 'Dieser Link führt zu keinem Gespräch.',
    tooMany: 'Hier beginnen gerade zu viele Gespräche. Bitte versuchen Sie es in einer Minute noch einmal.',
    again: 'Bitte öffnen Sie diesen Link gleich noch einmal.',
    test: 'Test',
  },
  fr: {
    ready: 'Nous aimerions avoir votre avis.',
    start: 'Commencer',
    send: 'Envoyer',
    closed: 'Ce lien est fermé.',
    expired: 'Ce lien a expiré.',
    full: 'Ce lien n’accepte plus de réponses.',
    unknown: 'Ce lien ne mène à aucune conversation.',
    tooMany: 'Trop de conversations commencent ici en ce moment. Veuillez réessayer dans une minute.',
    again: 'Veuillez rouvrir ce lien dans un instant.',
    test: 'Test',
  },
  es: {
    ready: 'Nos gustaría conocer su opinión.',
    start: 'Empezar',
    send: 'Enviar',
    closed: 'Este enlace está cerrado.',
    expired: 'Este enlace ha caducado.',
    full: 'Este enlace ya no admite respuestas.',
    unknown: 'Este enlace no lleva a ninguna conversación.',
    tooMany: 'Ahora mismo empiezan aquí demasiadas conversaciones. Inténtelo de nuevo en un minuto.',
    again: 'Vuelva a abrir este enlace dentro de un momento.',
    test: 'Prueba',
  },
  ar: {
    ready: 'يسعدنا أن نسمع رأيك.',
    start: 'ابدأ',
    send: 'إرسال',
    closed: 'هذا الرابط مغلق.',
    expired: 'انتهت صلاحية هذا الرابط.',
    full: 'لم يعد هذا الرابط يقبل إجابات.',
    unknown: 'لا يؤدي هذا الرابط إلى محادثة.',
    tooMany: 'تبدأ هنا محادثات كثيرة الآن. حاول مرة أخرى بعد دقيقة.',
    again: 'افتح هذا الرابط مرة أخرى بعد لحظات.',
    test: 'اختبار',
  },
} satisfies Record<string, VisitorWords>;

type Lang = keyof typeof words;
const langs = Object.keys(words) as Lang[];

/** Returns the words in the language that the browser of the visitor prefers; in English if there are none. */
export function visitorWords(request: Request): { lang: string; words: VisitorWords } {
  const lang = (request.acceptsLanguages(langs) || 'en') as Lang;
  return { lang, words: words[lang] };
}

/** Returns the language tag that the browser of the visitor prefers, for the bot. Undefined: it states none. */
export function visitorLocale(request: Request): string | undefined {
  const [first = '*'] = request.acceptsLanguages();
  return /^[\w-]{1,35}$/.test(first) ? first : undefined;
}
