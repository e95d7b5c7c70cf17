/* What JUnit reports use of libxml2, under its own names, found when it is first called: the library and the ICU that
 * comes with it would otherwise be loaded by every run, at a sixth of its time. Nothing is kept between calls: asking
 * for a library that is loaded takes less than a microsecond. */
#include <dlfcn.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library(void) {
  static const char *const names[] = {"libxml2.so.2", "libxml2.so.16", "libxml2.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *handle = dlopen(names[i], RTLD_NOW);
    if (handle) return handle;
  }
  fputs("ptxlit: error: JUnit reports need libxml2, which cannot be loaded\n", stderr);
  exit(3);
}

/* ISO C has no conversion from an object pointer to a function pointer; POSIX promises that this works. */
static void find(const char *name, void *function) {
  void *symbol = dlsym(library(), name);
  if (!symbol) {
    fprintf(stderr, "ptxlit: error: libxml2 has no %s\n", name);
    exit(3);
  }
  memcpy(function, &symbol, sizeof symbol);
}

#define FORWARD(type, name, parameters, arguments)                                                                     \
  type name parameters {                                                                                               \
    type(*function) parameters;                                                                                        \
    find(#name, &function);                                                                                            \
    return function arguments;                                                                                         \
  }

FORWARD(xmlBufferPtr, xmlBufferCreate, (void), ())
FORWARD(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer))
FORWARD(int, xmlBufferLength, (const xmlBuffer *buffer), (buffer))
FORWARD(xmlTextWriterPtr, xmlNewTextWriterMemory, (xmlBufferPtr buffer, int compression), (buffer, compression))
FORWARD(int, xmlTextWriterSetIndent, (xmlTextWriterPtr writer, int indent), (writer, indent))
FORWARD(int, xmlTextWriterFlush, (xmlTextWriterPtr writer), (writer))
FORWARD(int, xmlTextWriterStartDocument,
        (xmlTextWriterPtr writer, const char *version, const char *encoding, const char *standalone),
        (writer, version, encoding, standalone))
FORWARD(int, xmlTextWriterEndDocument, (xmlTextWriterPtr writer), (writer))
FORWARD(int, xmlTextWriterStartElement, (xmlTextWriterPtr writer, const xmlChar *name), (writer, name))
FORWARD(int, xmlTextWriterEndElement, (xmlTextWriterPtr writer), (writer))
FORWARD(int, xmlTextWriterWriteElement, (xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *content),
        (writer, name, content))
FORWARD(int, xmlTextWriterWriteString, (xmlTextWriterPtr writer, const xmlChar *content), (writer, content))
FORWARD(int, xmlTextWriterWriteRaw, (xmlTextWriterPtr writer, const xmlChar *content), (writer, content))
FORWARD(int, xmlTextWriterWriteAttribute, (xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *content),
        (writer, name, content))
FORWARD(int, xmlTextWriterWriteVFormatAttribute,
        (xmlTextWriterPtr writer, const xmlChar *name, const char *format, va_list arguments),
        (writer, name, format, arguments))

int xmlTextWriterWriteFormatAttribute(xmlTextWriterPtr writer, const xmlChar *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int status = xmlTextWriterWriteVFormatAttribute(writer, name, format, arguments);
  va_end(arguments);
  return status;
}

#define FORWARD_NOTHING(name, parameters, arguments)                                                                   \
  void name parameters {                                                                                               \
    void(*function) parameters;                                                                                        \
    find(#name, &function);                                                                                            \
    function arguments;                                                                                                \
  }

FORWARD_NOTHING(xmlBufferFree, (xmlBufferPtr buffer), (buffer))
FORWARD_NOTHING(xmlFreeTextWriter, (xmlTextWriterPtr writer), (writer))
