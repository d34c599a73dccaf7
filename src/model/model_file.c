#include "model/model_file.h"

#include <stdio.h>
#include <string.h>

#include "model/xml.h"

#define PATH_MAX_B 4096

static bool is_the_one(const xmlNode *node, const xmlNode *wanted, const xmlChar *name)
{
    if (node->type != XML_ELEMENT_NODE || !xmlStrEqual(node->name, wanted->name))
        return false;
    xmlChar *own = xmlGetNoNsProp(node, (const xmlChar *)"name");
    const bool same = own != NULL && xmlStrEqual(own, name);
    xmlFree(own);
    return same;
}

static xmlNode *find(const xmlDoc *document, const xmlNode *wanted, const xmlChar *name)
{
    const xmlNode *node = xmlDocGetRootElement(document);
    while (node != NULL && !is_the_one(node, wanted, name))
        node = xml_behind(node);
    return (xmlNode *)node;
}

static bool replace(const char *path, xmlDoc *whole, xmlNode *change)
{
    xmlChar *name = xmlGetNoNsProp(change, (const xmlChar *)"name");
    xmlNode *old = name != NULL ? find(whole, change, name) : NULL;
    xmlNode *copy = old != NULL ? xmlDocCopyNode(change, whole, 1) : NULL;
    if (copy != NULL) {
        xmlFreeNode(xmlReplaceNode(old, copy));
        copy->_private = change; // says where it is from
    } else {
        xml_complain(path, change, "name=\"%.40s\": no such element in %.200s; name one of its",
                     name != NULL ? (const char *)name : "", (const char *)whole->URL);
    }
    xmlFree(name);
    return copy != NULL;
}

// The root's attributes but for `like` are the file's own.
static void take_attributes(const xmlNode *from, xmlNode *to)
{
    for (const xmlAttr *given = from->properties; given != NULL; given = given->next) {
        xmlChar *text = xmlGetNoNsProp(from, given->name);
        if (!xmlStrEqual(given->name, (const xmlChar *)"like"))
            (void)xmlSetProp(to, given->name, text);
        xmlFree(text);
    }
}

// The file that `root` is like, with its changes.
static xmlDoc *make(const char *path, const xmlNode *root, const char *like)
{
    char base[PATH_MAX_B];
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    bool ok = snprintf(base, sizeof base, "%.*s%s", folder, path, like) < (int)sizeof base;
    if (!ok)
        xml_complain(path, root, "like: the path is too long; move the file");
    xmlDoc *whole = ok ? xml_read(base) : NULL;
    xmlNode *whole_root = whole != NULL ? xmlDocGetRootElement(whole) : NULL;
    if (whole_root == NULL)
        return NULL;
    if (xmlHasProp(whole_root, (const xmlChar *)"like") != NULL) {
        xml_complain(path, root, "like=\"%.40s\": is itself like another; name that one", like);
        ok = false;
    }
    for (const xmlNode *node = root->children;
         ok && (node = xml_next_element(path, node, &ok)) != NULL; node = node->next)
        ok = replace(path, whole, (xmlNode *)node);
    take_attributes(root, whole_root);
    whole->_private = whole; // says that it is made
    if (ok)
        return whole;
    xmlFreeDoc(whole);
    return NULL;
}

xmlDoc *model_file_read(const char *path)
{
    xmlDoc *document = xml_read(path);
    const xmlNode *root = document != NULL ? xmlDocGetRootElement(document) : NULL;
    xmlChar *like = root != NULL ? xmlGetNoNsProp(root, (const xmlChar *)"like") : NULL;
    if (like == NULL)
        return document;
    xmlDoc *whole = make(path, root, (const char *)like);
    xmlFree(like);
    xmlFreeDoc(document);
    return whole;
}

bool model_file_is_made(const xmlDoc *document)
{
    return document->_private != NULL;
}

const char *model_file_of(const char *path, const xmlNode *node)
{
    if (!model_file_is_made(node->doc))
        return path;
    for (const xmlNode *at = node; at->type == XML_ELEMENT_NODE; at = at->parent)
        if (at->_private != NULL)
            return path;
    return (const char *)node->doc->URL;
}
