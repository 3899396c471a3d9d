# timm's names of plain vision transformers are compiled into the program: PLAIN_VIT_TEXTS is the source file with them.
set(VITS ${PROJECT_SOURCE_DIR}/resources/models)
file(READ ${VITS}/plain_vits.tsv PLAIN_VIT_TEXT)
file(READ ${VITS}/plain_vit_weights.tsv PLAIN_VIT_WEIGHT_TEXT)
set(PLAIN_VIT_TEXTS ${CMAKE_CURRENT_BINARY_DIR}/plain_vit_texts.cpp)
configure_file(${PROJECT_SOURCE_DIR}/models/vit/formats/plain_vit_texts.cpp.in ${PLAIN_VIT_TEXTS} @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${VITS}/plain_vits.tsv ${VITS}/plain_vit_weights.tsv)
