/** What the widget says by itself, in one language. `{name}` stands for a value. */
export interface Strings {
  launcher: string;
  newMessage: string;
  close: string;
  dismiss: string;
  conversation: string;
  /** What a bot is called whose name is not known. */
  bot: string;
  you: string;
  progress: string;
  loading: string;
  typing: string;
  readyText: string;
  start: string;
  resumableText: string;
  resume: string;
  doneTitle: string;
  completedTitle: string;
  completedText: string;
  expiredTitle: string;
  expiredText: string;
  unavailableTitle: string;
  unavailableText: string;
  offlineTitle: string;
  offlineText: string;
  retry: string;
  send: string;
  sending: string;
  skip: string;
  waiting: string;
  movedOn: string;
  failed: string;
  check: string;
  empty: string;
  placeholder: string;
  fromTo: string;
  from: string;
  upTo: string;
  atLeastCharacters: string;
  chooseAny: string;
  chooseExactly: string;
  chooseAtLeast: string;
  chooseUpTo: string;
  chooseFromTo: string;
  outOf: string;
  npsLow: string;
  npsHigh: string;
}

/** A page's own words for some of these. */
export type GivenStrings = { [Key in keyof Strings]?: string | undefined };

const en: Strings = {
  launcher: 'Chat with {bot}',
  newMessage: 'New message from {bot}',
  close: 'Close chat',
  dismiss: 'Dismiss message',
  conversation: 'Conversation',
  bot: 'Assistant',
  you: 'You',
  progress: 'Progress',
  loading: 'Loading',
  typing: '{bot} is typing',
  readyText: 'We would like to hear from you. Start whenever you are ready.',
  start: 'Start',
  resumableText: 'Welcome back! You can go on where you left off.',
  resume: 'Continue',
  doneTitle: 'All done',
  completedTitle: 'Already answered',
  completedText: 'Thank you! There is nothing more to do here.',
  expiredTitle: 'This conversation has expired',
  expiredText: 'It cannot be answered any more.',
  unavailableTitle: 'This conversation is not available',
  unavailableText: 'It may have been withdrawn, or the link is not complete.',
  offlineTitle: 'No connection',
  offlineText: 'We keep trying to reach the server.',
  retry: 'Try again',
  send: 'Send',
  sending: 'Sending…',
  skip: 'Skip',
  waiting: 'Not sent yet. It goes out as soon as you are online again.',
  movedOn: 'The conversation has gone on in another window. Please check your answer and send it again.',
  failed: 'This could not be sent. Please try again.',
  check: 'Please check your answer.',
  empty: 'Please answer first.',
  placeholder: 'Write your answer…',
  fromTo: 'From {min} to {max}',
  from: 'From {min}',
  upTo: 'Up to {max}',
  atLeastCharacters: 'At least {min} characters',
  chooseAny: 'Choose one or more',
  chooseExactly: 'Choose {min}',
  chooseAtLeast: 'Choose at least {min}',
  chooseUpTo: 'Choose up to {max}',
  chooseFromTo: 'Choose {min} to {max}',
  outOf: '{n} of {max}',
  npsLow: 'Not at all likely',
  npsHigh: 'Extremely likely',
};

const de: Strings = {
  launcher: 'Chat mit {bot}',
  newMessage: 'Neue Nachricht von {bot}',
  close: 'Chat schließen',
  dismiss: 'Nachricht ausblenden',
  conversation: 'Unterhaltung',
  bot: 'Assistent',
  you: 'Sie',
  progress: 'Fortschritt',
  loading: 'Wird geladen',
  typing: '{bot} schreibt',
  readyText: 'Wir würden gern von Ihnen hören. Beginnen Sie, wann immer Sie möchten.',
  start: 'Beginnen',
  resumableText: 'Willkommen zurück! Sie können da weitermachen, wo Sie aufgehört haben.',
  resume: 'Weiter',
  doneTitle: 'Alles erledigt',
  completedTitle: 'Bereits beantwortet',
  completedText: 'Vielen Dank! Hier ist nichts mehr zu tun.',
  expiredTitle: 'Diese Unterhaltung ist abgelaufen',
  expiredText: 'Sie kann nicht mehr beantwortet werden.',
  unavailableTitle: 'Diese Unterhaltung ist nicht verfügbar',
  unavailableText: 'Vielleicht wurde sie zurückgezogen, oder der Link ist unvollständig.',
  offlineTitle: 'Keine Verbindung',
  offlineText: 'Wir versuchen weiter, den Server zu erreichen.',
  retry: 'Erneut versuchen',
  send: 'Senden',
  sending: 'Wird gesendet…',
  skip: 'Überspringen',
  waiting: 'Noch nicht gesendet. Ihre Antwort geht ab, sobald Sie wieder online sind.',
  movedOn:
    'Die Unterhaltung ging in einem anderen Fenster weiter. Bitte prüfen Sie Ihre Antwort und senden Sie sie erneut.',
  failed: 'Das konnte nicht gesendet werden. Bitte versuchen Sie es erneut.',
  check: 'Bitte prüfen Sie Ihre Antwort.',
  empty: 'Bitte antworten Sie zuerst.',
  placeholder: 'Ihre Antwort…',
  fromTo: 'Von {min} bis {max}',
  from: 'Ab {min}',
  upTo: 'Bis {max}',
  atLeastCharacters: 'Mindestens {min} Zeichen',
  chooseAny: 'Eine oder mehrere Antworten',
  chooseExactly: 'Wählen Sie {min}',
  chooseAtLeast: 'Wählen Sie mindestens {min}',
  chooseUpTo: 'Wählen Sie bis zu {max}',
  chooseFromTo: 'Wählen Sie {min} bis {max}',
  outOf: '{n} von {max}',
  npsLow: 'Sehr unwahrscheinlich',
  npsHigh: 'Sehr wahrscheinlich',
};

const fr: Strings = {
  launcher: 'Discuter avec {bot}',
  newMessage: 'Nouveau message de {bot}',
  close: 'Fermer la discussion',
  dismiss: 'Masquer le message',
  conversation: 'Conversation',
  bot: 'Assistant',
  you: 'Vous',
  progress: 'Progression',
  loading: 'Chargement',
  typing: '{bot} écrit',
  readyText: 'Votre avis nous intéresse. Commencez quand vous voulez.',
  start: 'Commencer',
  resumableText: 'Bon retour ! Vous pouvez reprendre là où vous en étiez.',
  resume: 'Continuer',
  doneTitle: 'C’est terminé',
  completedTitle: 'Déjà répondu',
  completedText: 'Merci ! Il n’y a plus rien à faire ici.',
  expiredTitle: 'Cette conversation a expiré',
  expiredText: 'Il n’est plus possible d’y répondre.',
  unavailableTitle: 'Cette conversation n’est pas disponible',
  unavailableText: 'Elle a peut-être été retirée, ou le lien est incomplet.',
  offlineTitle: 'Pas de connexion',
  offlineText: 'Nous continuons d’essayer de joindre le serveur.',
  retry: 'Réessayer',
  send: 'Envoyer',
  sending: 'Envoi…',
  skip: 'Passer',
  waiting: 'Pas encore envoyé. Votre réponse partira dès que vous serez de nouveau en ligne.',
  movedOn:
    'La conversation a continué dans une autre fenêtre. Vérifiez votre réponse et envoyez-la de nouveau.',
  failed: 'L’envoi a échoué. Veuillez réessayer.',
  check: 'Veuillez vérifier votre réponse.',
  empty: 'Veuillez d’abord répondre.',
  placeholder: 'Votre réponse…',
  fromTo: 'De {min} à {max}',
  from: 'À partir de {min}',
  upTo: 'Jusqu’à {max}',
  atLeastCharacters: 'Au moins {min} caractères',
  chooseAny: 'Une ou plusieurs réponses',
  chooseExactly: 'Choisissez-en {min}',
  chooseAtLeast: 'Choisissez-en au moins {min}',
  chooseUpTo: 'Choisissez-en jusqu’à {max}',
  chooseFromTo: 'Choisissez-en de {min} à {max}',
  outOf: '{n} sur {max}',
  npsLow: 'Pas du tout probable',
  npsHigh: 'Très probable',
};

const es: Strings = {
  launcher: 'Chatear con {bot}',
  newMessage: 'Nuevo mensaje de {bot}',
  close: 'Cerrar el chat',
  dismiss: 'Ocultar el mensaje',
  conversation: 'Conversación',
  bot: 'Asistente',
  you: 'Usted',
  progress: 'Progreso',
  loading: 'Cargando',
  typing: '{bot} está escribiendo',
  readyText: 'Nos gustaría conocer su opinión. Empiece cuando quiera.',
  start: 'Empezar',
  resumableText: '¡Hola de nuevo! Puede seguir donde lo dejó.',
  resume: 'Continuar',
  doneTitle: 'Eso es todo',
  completedTitle: 'Ya respondida',
  completedText: '¡Gracias! No hay nada más que hacer aquí.',
  expiredTitle: 'Esta conversación ha caducado',
  expiredText: 'Ya no se puede responder.',
  unavailableTitle: 'Esta conversación no está disponible',
  unavailableText: 'Puede que se haya retirado o que el enlace esté incompleto.',
  offlineTitle: 'Sin conexión',
  offlineText: 'Seguimos intentando conectar con el servidor.',
  retry: 'Reintentar',
  send: 'Enviar',
  sending: 'Enviando…',
  skip: 'Omitir',
  waiting: 'Aún no se ha enviado. Se enviará en cuanto vuelva a tener conexión.',
  movedOn: 'La conversación ha seguido en otra ventana. Revise su respuesta y envíela de nuevo.',
  failed: 'No se ha podido enviar. Inténtelo de nuevo.',
  check: 'Revise su respuesta.',
  empty: 'Responda primero.',
  placeholder: 'Escriba su respuesta…',
  fromTo: 'De {min} a {max}',
  from: 'Desde {min}',
  upTo: 'Hasta {max}',
  atLeastCharacters: 'Al menos {min} caracteres',
  chooseAny: 'Elija una o más',
  chooseExactly: 'Elija {min}',
  chooseAtLeast: 'Elija al menos {min}',
  chooseUpTo: 'Elija hasta {max}',
  chooseFromTo: 'Elija de {min} a {max}',
  outOf: '{n} de {max}',
  npsLow: 'Nada probable',
  npsHigh: 'Muy probable',
};

const ar: Strings = {
  launcher: 'محادثة مع {bot}',
  newMessage: 'رسالة جديدة من {bot}',
  close: 'إغلاق المحادثة',
  dismiss: 'إخفاء الرسالة',
  conversation: 'المحادثة',
  bot: 'المساعد',
  you: 'أنت',
  progress: 'التقدم',
  loading: 'جارٍ التحميل',
  typing: '{bot} يكتب الآن',
  readyText: 'يهمنا أن نسمع رأيك. ابدأ متى شئت.',
  start: 'ابدأ',
  resumableText: 'مرحبًا بعودتك! يمكنك المتابعة من حيث توقفت.',
  resume: 'متابعة',
  doneTitle: 'هذا كل شيء',
  completedTitle: 'تمت الإجابة من قبل',
  completedText: 'شكرًا لك! لم يبق شيء تقوم به هنا.',
  expiredTitle: 'انتهت صلاحية هذه المحادثة',
  expiredText: 'لم تعد الإجابة عنها ممكنة.',
  unavailableTitle: 'هذه المحادثة غير متاحة',
  unavailableText: 'ربما تم سحبها، أو أن الرابط غير مكتمل.',
  offlineTitle: 'لا يوجد اتصال',
  offlineText: 'نواصل محاولة الوصول إلى الخادم.',
  retry: 'إعادة المحاولة',
  send: 'إرسال',
  sending: 'جارٍ الإرسال…',
  skip: 'تخطٍّ',
  waiting: 'لم تُرسل بعد. ستُرسل فور عودة الاتصال.',
  movedOn: 'تواصلت المحادثة في نافذة أخرى. يرجى مراجعة إجابتك وإرسالها مجددًا.',
  failed: 'تعذّر الإرسال. يرجى المحاولة مرة أخرى.',
  check: 'يرجى مراجعة إجابتك.',
  empty: 'يرجى الإجابة أولًا.',
  placeholder: 'اكتب إجابتك…',
  fromTo: 'من {min} إلى {max}',
  from: 'ابتداءً من {min}',
  upTo: 'حتى {max}',
  atLeastCharacters: 'عدد الأحرف على الأقل: {min}',
  chooseAny: 'اختر إجابة أو أكثر',
  chooseExactly: 'عدد الاختيارات: {min}',
  chooseAtLeast: 'عدد الاختيارات على الأقل: {min}',
  chooseUpTo: 'عدد الاختيارات حتى {max}',
  chooseFromTo: 'عدد الاختيارات من {min} إلى {max}',
  outOf: '{n} من {max}',
  npsLow: 'غير محتمل إطلاقًا',
  npsHigh: 'محتمل جدًا',
};

/** By language; a language that is not here gets the English ones. */
export const strings: Record<string, Strings> & { en: Strings } = { en, de, fr, es, ar };
